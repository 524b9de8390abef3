import { type Hex, leastContrast, type Oklch, toHex, toOklch } from './colour.ts'

/** The purpose of a color. Each becomes the CSS custom property `--tone-<role>`. */
export const tones = [
  // Backgrounds, from the page upwards: page, card, popup, and surfaces below a card (hovered rows, skeletons).
  'canvas',
  'surface',
  'raised',
  'sunken',
  // Text, readable on all four backgrounds and on `tint`.
  'text',
  'muted',
  // Lines: `border` is decorative, `outline` is the edge of a control (≥ 3:1).
  'border',
  'outline',
  // The brand color as a fill, with its text; `primary-edge` outlines it if it hardly differs from the page.
  'primary',
  'primary-hover',
  'on-primary',
  'primary-edge',
  // The brand color as text, as a control that is on (≥ 3:1) with its knob, and as a faint background.
  'link',
  'control',
  'on-control',
  'focus',
  'tint',
  // The brand's second color, or the first one again.
  'accent',
  'on-accent',
  'accent-text',
  'success',
  'on-success',
  'success-text',
  'success-tint',
  'warning',
  'on-warning',
  'warning-text',
  'warning-tint',
  'danger',
  'on-danger',
  'danger-text',
  'danger-tint',
] as const
export type Tone = (typeof tones)[number]
export type Palette = Readonly<Record<Tone, Hex>>

/**
 * All pairs `[foreground, background, minimum contrast]` that {@link createPalette} guarantees, for any brand color.
 */
export const contrastPromises = (): readonly (readonly [Tone, Tone, number])[] => [
  ...(['text', 'muted', 'link', 'accent-text'] as const).flatMap((front) =>
    (['canvas', 'surface', 'raised', 'sunken', 'tint'] as const).map((behind) => [front, behind, 4.5] as const),
  ),
  ...(['outline', 'primary-edge', 'control', 'focus'] as const).flatMap((front) =>
    (['canvas', 'surface', 'raised', 'sunken'] as const).map((behind) => [front, behind, 3] as const),
  ),
  ['on-primary', 'primary', 4.5],
  ['on-primary', 'primary-hover', 4.5],
  ['on-control', 'control', 4.5],
  ['on-accent', 'accent', 4.5],
  ...(['success', 'warning', 'danger'] as const).flatMap((state) => [
    [`on-${state}`, state, 4.5] as const,
    ...(['canvas', 'surface', 'raised', 'sunken', `${state}-tint`] as const).map(
      (behind) => [`${state}-text`, behind, 4.5] as const,
    ),
    ['text', `${state}-tint`, 4.5] as const,
    ['muted', `${state}-tint`, 4.5] as const,
  ]),
]

export type Scheme = 'light' | 'dark'

const lightness = {
  light: { canvas: 0.975, surface: 1, raised: 1, sunken: 0.955, border: 0.905, outline: 0.64, tint: 0.955 },
  dark: { canvas: 0.165, surface: 0.205, raised: 0.235, sunken: 0.285, border: 0.32, outline: 0.56, tint: 0.275 },
} as const

const states = { success: '#15803d', warning: '#b45309', danger: '#c8242f' } as const

/** Makes `start` lighter or darker until it contrasts with all backgrounds; at the extreme, black or white. */
function readable(start: Oklch, against: readonly Hex[], least: number, scheme: Scheme): Hex {
  const towards = scheme === 'light' ? -0.01 : 0.01
  for (let l = start.l; l > 0.05 && l < 0.99; l += towards) {
    const candidate = toHex({ ...start, l })
    if (leastContrast(candidate, against) >= least) return candidate
  }
  return scheme === 'light' ? '#000000' : '#ffffff'
}

/** White, near-black or, in the narrow range where neither is readable, black. One of the three always is. */
function writingOn(fill: Hex): Hex {
  return (['#ffffff', '#101010'] as const).find((ink) => leastContrast(ink, [fill]) >= 4.5) ?? '#000000'
}

/** A step away from the text color, so that hovering never reduces contrast. */
function hovered(fill: Hex, ink: Hex): Hex {
  const { l, c, h } = toOklch(fill)
  const away = ink === '#ffffff' ? -0.05 : 0.05
  return toHex({ l: Math.min(1, Math.max(0, l + away)), c, h })
}

function statePalette(brandless: Hex, behind: readonly Hex[], scheme: Scheme) {
  const colour = toOklch(brandless)
  const tint = toHex(scheme === 'light' ? { ...colour, l: 0.955, c: 0.022 } : { ...colour, l: 0.275, c: 0.05 })
  return { fill: brandless, on: writingOn(brandless), tint, text: readable(colour, [...behind, tint], 4.5, scheme) }
}

/**
 * All role colors of one scheme from the brand's one or two colors, computed in OKLCH. As a fill, the brand color stays
 * exactly the same; text and controls keep {@link contrastPromises}.
 */
export function createPalette(brand: { primary: Hex; secondary?: Hex | undefined }, scheme: Scheme): Palette {
  const primary = toOklch(brand.primary)
  const secondary = brand.secondary ?? brand.primary
  const level = lightness[scheme]
  const neutral = (l: number, c = scheme === 'light' ? 0.003 : 0.006): Hex =>
    toHex({ l, c: Math.min(c, primary.c), h: primary.h })

  const canvas = neutral(level.canvas)
  const surface = neutral(level.surface)
  const raised = neutral(level.raised)
  const sunken = neutral(level.sunken)
  const tint = neutral(level.tint, scheme === 'light' ? 0.022 : 0.045)
  const behind = [canvas, surface, raised, sunken]
  const success = statePalette(states.success, behind, scheme)
  const warning = statePalette(states.warning, behind, scheme)
  const danger = statePalette(states.danger, behind, scheme)
  const writtenOn = [...behind, tint, success.tint, warning.tint, danger.tint]

  // Colored text on dark looks fainter than its ratio says.
  const inWriting = scheme === 'light' ? 4.5 : 5.5
  const grey = { c: Math.min(0.012, primary.c), h: primary.h }
  const control = readable(primary, behind, 3, scheme)
  const onPrimary = writingOn(brand.primary)
  return {
    canvas,
    surface,
    raised,
    sunken,
    tint,
    text: readable({ ...grey, l: scheme === 'light' ? 0.22 : 0.94 }, writtenOn, 4.5, scheme),
    muted: readable({ ...grey, l: scheme === 'light' ? 0.5 : 0.72 }, writtenOn, 4.5, scheme),
    border: neutral(level.border),
    outline: readable({ ...grey, l: level.outline }, behind, 3, scheme),
    primary: brand.primary,
    'primary-hover': hovered(brand.primary, onPrimary),
    'on-primary': onPrimary,
    'primary-edge': control,
    link: readable(primary, [...behind, tint], inWriting, scheme),
    control,
    'on-control': writingOn(control),
    focus: control,
    accent: secondary,
    'on-accent': writingOn(secondary),
    'accent-text': readable(toOklch(secondary), [...behind, tint], inWriting, scheme),
    success: success.fill,
    'on-success': success.on,
    'success-text': success.text,
    'success-tint': success.tint,
    warning: warning.fill,
    'on-warning': warning.on,
    'warning-text': warning.text,
    'warning-tint': warning.tint,
    danger: danger.fill,
    'on-danger': danger.on,
    'danger-text': danger.text,
    'danger-tint': danger.tint,
  }
}

const declarations = (palette: Palette): string => tones.map((tone) => `--tone-${tone}:${palette[tone]};`).join('')

/**
 * The palette as CSS custom properties `--tone-<role>` of `:root`: light, dark if the system prefers it, and either if
 * the user chose it (`<html data-scheme="light|dark">`); elements with `data-scheme="dark"` are always dark. Goes into a style sheet with a nonce or a constructed one.
 */
export function paletteCss(brand: { primary: Hex; secondary?: Hex | undefined }): string {
  const light = `color-scheme:light;${declarations(createPalette(brand, 'light'))}`
  const dark = `color-scheme:dark;${declarations(createPalette(brand, 'dark'))}`
  return `:root{${light}}@media (prefers-color-scheme:dark){:root:not([data-scheme=light]){${dark}}}[data-scheme=dark]{${dark}}`
}
