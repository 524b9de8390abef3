import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const CHECK = join(import.meta.dirname, 'bundle-budget.ts')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundle-budget-'))
  put('tools/checks/bundle-budget.json', JSON.stringify({ app: { kib: 10, screen: 'screen.tsx' } }))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function put(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

/** Does not get smaller by gzip, so that `kib` is what it weighs. */
const noise = (kib: number): string => randomBytes(kib * 1010).toString('base64')

interface Sizes {
  entry: number
  shared: number
  lazy: number
  css: number
  screen?: number
  drawing?: number
  languages?: Readonly<Record<string, number>>
}

function build({ screen = 0, drawing = 0, languages = {}, ...sizes }: Sizes): void {
  put(
    'dist/web/app/.vite/manifest.json',
    JSON.stringify({
      'main.tsx': {
        file: 'a/main.js',
        isEntry: true,
        imports: ['_shared.js'],
        dynamicImports: ['lazy.tsx'],
        css: ['a/main.css'],
      },
      '_shared.js': { file: 'a/shared.js' },
      'lazy.tsx': { file: 'a/lazy.js', isDynamicEntry: true },
      'src/screens.tsx': { file: 'a/screens.js', isDynamicEntry: true },
      'screen.tsx': { file: 'a/screen.js', isDynamicEntry: true },
      ...Object.fromEntries(
        Object.keys(languages).map((code) => [`src/locales/${code}.json`, { file: `a/${code}.js` }]),
      ),
    }),
  )
  for (const [code, kib] of Object.entries(languages)) put(`dist/web/app/a/${code}.js`, noise(kib))
  put('dist/web/app/a/screen.js', noise(screen))
  put('dist/web/app/a/screens.js', noise(drawing))
  put('dist/web/app/a/main.js', noise(sizes.entry))
  put('dist/web/app/a/shared.js', noise(sizes.shared))
  put('dist/web/app/a/lazy.js', noise(sizes.lazy))
  put('dist/web/app/a/main.css', noise(sizes.css))
}

const check = () => spawnSync(process.execPath, [CHECK], { cwd: folder, encoding: 'utf8' })

describe('the budget of the first load', () => {
  test('chunks that load later do not count', () => {
    build({ entry: 4, shared: 3, lazy: 50, css: 1 })
    expect(check().status).toBe(0)
  })
  test('the entry, its imports and its styles count together', () => {
    build({ entry: 6, shared: 6, lazy: 0, css: 6 })
    const { status, stderr } = check()
    expect(status).toBe(1)
    expect(stderr).toMatch(/app: first load is 1\d\.\d KiB, the budget is 10/)
  })
  test('the first screen counts, although it loads after the entry', () => {
    build({ entry: 4, shared: 2, lazy: 0, css: 1, screen: 6 })
    expect(check().stderr).toMatch(/app: first load is 1\d\.\d KiB/)
  })
  test('the renderer of all screens counts, although it loads after the entry', () => {
    build({ entry: 4, shared: 2, lazy: 0, css: 1, drawing: 6 })
    expect(check().stderr).toMatch(/app: first load is 1\d\.\d KiB/)
  })
  test('only the language with the longest texts counts', () => {
    build({ entry: 2, shared: 1, lazy: 0, css: 0.5, languages: { de: 3, ja: 5, nl: 4 } })
    expect(check()).toMatchObject({ status: 0, stdout: expect.stringMatching(/app: 9\.\d of 10 KiB/) })
    build({ entry: 2, shared: 1, lazy: 0, css: 1, languages: { de: 3, ja: 8, nl: 4 } })
    expect(check().stderr).toMatch(/KiB a\/ja\.js \(ja\)/)
  })
  test('a renamed screen fails', () => {
    build({ entry: 1, shared: 1, lazy: 0, css: 1 })
    put('tools/checks/bundle-budget.json', JSON.stringify({ app: { kib: 10, screen: 'gone.tsx' } }))
    expect(check().stderr).toContain('does not name gone.tsx')
  })
  test('an app without a manifest fails', () => {
    put('dist/web/app/index.html', '')
    expect(check().status).toBe(1)
  })
  test('without built apps the check is skipped', () => {
    expect(check().status).toBe(77)
  })
})
