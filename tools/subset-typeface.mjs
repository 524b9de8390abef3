// @ts-check
// Subsets Inter to the letters of our languages and the weights in use, and writes the CSS that loads it. Run by
// hand after a change here: Korean, Chinese, Thai and Japanese use the system's typefaces.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const PACKAGE = dirname(fileURLToPath(import.meta.resolve('@fontsource-variable/inter/package.json')))
const FILES = resolve(import.meta.dirname, '../web/kit/typeface/assets')
const STYLES = resolve(import.meta.dirname, '../contract/src/theme/typeface.ts')

/** Lightest and boldest weight in use. */
const WEIGHTS = { min: 400, max: 700 }
/** Kerning, ligatures, marks, tabular figures and the forms for Turkish and Polish. */
const FEATURES = ['kern', 'liga', 'calt', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum', 'case']

/** @typedef {readonly [first: number, last: number]} Range */
/** @type {Readonly<Record<string, readonly Range[]>>} */
const SUBSETS = {
  latin: [
    [0x20, 0x7e],
    [0xa0, 0xff],
    [0x1_31, 0x1_31],
    [0x1_52, 0x1_53],
    [0x20_13, 0x20_14],
    [0x20_18, 0x20_1e],
    [0x20_22, 0x20_22],
    [0x20_26, 0x20_26],
    [0x20_30, 0x20_30],
    [0x20_32, 0x20_33],
    [0x20_39, 0x20_3a],
    [0x20_ac, 0x20_ac],
    [0x21_22, 0x21_22],
    [0x21_90, 0x21_93],
    [0x22_12, 0x22_12],
  ],
  'latin-ext': [
    [0x1_00, 0x1_30],
    [0x1_32, 0x1_51],
    [0x1_54, 0x1_7f],
    [0x2_18, 0x2_1b],
    [0x1e_9e, 0x1e_9e],
    [0x20_ba, 0x20_ba],
  ],
}

/**
 * System fonts adjusted to Inter's metrics, so that nothing moves when Inter loads. `width` is the average width of a letter
 * in ems, by letter frequency (@capsizecss/metrics 4).
 * @type {readonly { name: string, local: readonly string[], width: number }[]}
 */
const FALLBACKS = [
  { name: 'Inter Arial', local: ['Arial', 'Liberation Sans', 'Arimo', 'Helvetica'], width: 0.4458 },
  { name: 'Inter Roboto', local: ['Roboto'], width: 0.4448 },
]
const INTER = { width: 0.4775, ascent: 0.968_75, descent: 0.2412 }

const text = (/** @type {readonly Range[]} */ ranges) =>
  ranges
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
    .map((code) => String.fromCodePoint(code))
    .join('')
const hex = (/** @type {number} */ code) => code.toString(16).toUpperCase()
const unicodeRange = (/** @type {readonly Range[]} */ ranges) =>
  ranges.map(([first, last]) => (first === last ? `U+${hex(first)}` : `U+${hex(first)}-${hex(last)}`)).join(',')
const percent = (/** @type {number} */ share) => `${(share * 100).toFixed(2)}%`

rmSync(FILES, { recursive: true, force: true })
mkdirSync(FILES, { recursive: true })
/** @type {string[]} */
const rules = []
/** @type {string[]} */
const fallbacks = []
for (const [subset, ranges] of Object.entries(SUBSETS)) {
  const whole = readFileSync(join(PACKAGE, `files/inter-${subset}-wght-normal.woff2`))
  const cut = await subsetFont(whole, text(ranges), {
    targetFormat: 'woff2',
    variationAxes: { wght: WEIGHTS },
    keepFeatures: FEATURES,
  })
  const name = `inter-${subset}-${createHash('sha256').update(cut).digest('hex').slice(0, 12)}.woff2`
  writeFileSync(join(FILES, name), cut)
  console.log(`${name}: ${(cut.length / 1024).toFixed(1)} KiB`)
  rules.push(
    `@font-face{font-family:Inter;font-weight:${WEIGHTS.min} ${WEIGHTS.max};font-display:swap;src:url(/assets/${name}) format("woff2");unicode-range:${unicodeRange(ranges)}}`,
  )
}
for (const { name, local, width } of FALLBACKS) {
  const adjust = INTER.width / width
  const sources = local.map((font) => `local("${font}")`).join(',')
  fallbacks.push(
    `@font-face{font-family:"${name}";src:${sources};size-adjust:${percent(adjust)};ascent-override:${percent(INTER.ascent / adjust)};descent-override:${percent(INTER.descent / adjust)};line-gap-override:0%}`,
  )
}
const written = (/** @type {readonly string[]} */ some) => some.map((rule) => `  '${rule}'`).join(' +\n')
writeFileSync(join(FILES, 'inter-license.txt'), readFileSync(join(PACKAGE, 'LICENSE')))
writeFileSync(
  STYLES,
  `// Written by tools/subset-typeface.mjs.

/** Typefaces of the system with the widths and heights of Inter. They load nothing. */
export const fallbackTypefaceCss =
${written(fallbacks)}

/** Loads Inter from the front of every host; until it is there, typefaces of the system. */
export const typefaceCss =
${written(rules)} +
  fallbackTypefaceCss
`,
)
