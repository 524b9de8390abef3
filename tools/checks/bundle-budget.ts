// What a browser must fetch before an app shows a screen: JavaScript and CSS of its entry and that screen, and the texts of
// the longest language; gzip 9, in KiB.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type SignInPages, signInLanguages } from '@sightline/contract/sign-in-pages'
import { providerTheme, themeCss } from '@sightline/contract/theme'
import { readJson } from './tree.ts'
import { report, skip } from './verdict.ts'

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}
type Manifest = Readonly<Record<string, Chunk>>

const SIGN_IN = 'dist/web/sign-in/sign-in.mjs'

interface Budget {
  readonly kib: number
  /** The screen's module, if it loads after the entry. */
  readonly screen?: string
}
const budgets = readJson('tools/checks/bundle-budget.json') as Readonly<Record<string, Budget>>

/** The module that renders all screens of an app; the entry loads it immediately. */
const DRAWING = 'src/screens.tsx'

/** Texts that an app needs before it renders anything. */
const CATALOGUE = /^(?:src\/locales\/|_text-)([a-z]{2})(?:\.json$|-)/

/** Files of the entries, the renderer, the screen, and all their static imports. */
function firstLoad(manifest: Manifest, screen: string | undefined): ReadonlySet<string> {
  const files = new Set<string>()
  const visit = (chunk: Chunk | undefined): void => {
    if (chunk === undefined || files.has(chunk.file)) return
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    for (const name of chunk.imports ?? []) visit(manifest[name])
  }
  for (const [name, chunk] of Object.entries(manifest)) {
    if (chunk.isEntry || name === DRAWING || name === screen) visit(chunk)
  }
  return files
}

const kib = (file: string): number => gzipSync(readFileSync(file), { level: 9 }).length / 1024

interface Piece {
  readonly file: string
  readonly size: number
}

/** The sign-in pages are self-contained documents; the longest one has an error, a brand and other languages. */
async function signInPage(): Promise<readonly Piece[]> {
  const { signInPages } = (await import(resolve(SIGN_IN))) as { signInPages: SignInPages }
  const html = signInPages.signIn({
    language: 'en',
    otherLanguages: signInLanguages
      .filter((code) => code !== 'en')
      .map((language) => ({ language, href: `?language=${language}` })),
    theme: providerTheme,
    nonce: randomBytes(16).toString('base64'),
    action: `/sign-in/${randomBytes(16).toString('base64url')}`,
    email: 'somebody@example.com',
    forgotHref: '/sign-in/forgot?from=k3JhbmRvbS1pbnRlcmFjdGlvbg&lang=en',
    problem: { kind: 'locked', minutes: 15 },
  })
  return [{ file: 'the sign-in page', size: gzipSync(html, { level: 9 }).length / 1024 }]
}

/** The largest catalog; none if an app has no languages. */
function heaviestCatalogue(manifest: Manifest, dist: string): readonly Piece[] {
  const catalogues = Object.entries(manifest).flatMap(([name, { file }]) => {
    const language = CATALOGUE.exec(name)?.[1]
    return language === undefined ? [] : [{ file: `${file} (${language})`, size: kib(join(dist, file)) }]
  })
  return catalogues.toSorted((a, b) => b.size - a.size).slice(0, 1)
}

async function piecesOf(app: string, screen: string | undefined): Promise<readonly Piece[] | string> {
  const dist = `dist/web/${app}`
  if (app === 'sign-in') return existsSync(SIGN_IN) ? signInPage() : `${SIGN_IN} is not there: build the apps first`
  const path = join(dist, '.vite/manifest.json')
  if (!existsSync(path)) return `${path} is not there: build the apps first, with build.manifest on`
  const manifest = readJson(path) as Manifest
  if (screen !== undefined && manifest[screen] === undefined) return `${path} does not name ${screen}`
  const files = [...firstLoad(manifest, screen)].filter((file) => /\.(m?js|css)$/.test(file))
  if (files.length === 0) return `${path} names no entry`
  return [
    ...files.map((file) => ({ file, size: kib(join(dist, file)) })),
    ...heaviestCatalogue(manifest, dist),
    { file: '/theme.css', size: gzipSync(themeCss(providerTheme), { level: 9 }).length / 1024 },
  ]
}

async function measure(app: string, { kib: budget, screen }: Budget): Promise<readonly string[]> {
  const pieces = await piecesOf(app, screen)
  if (typeof pieces === 'string') return [pieces]
  const total = pieces.reduce((sum, { size }) => sum + size, 0)
  console.log(`${app}: ${total.toFixed(1)} of ${budget} KiB in ${pieces.length} files`)
  if (total <= budget) return []
  const largest = pieces.toSorted((a, b) => b.size - a.size).slice(0, 8)
  return [
    `${app}: first load is ${total.toFixed(1)} KiB, the budget is ${budget}`,
    ...largest.map(({ file, size }) => `   ${size.toFixed(1)} KiB ${file}`),
  ]
}

const apps = Object.entries(budgets)
if (apps.every(([app]) => !existsSync(`dist/web/${app}`))) skip('no app is built')
else report((await Promise.all(apps.map(([app, budget]) => measure(app, budget)))).flat())
