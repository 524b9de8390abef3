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
  put('tools/checks/bundle-budget.json', JSON.stringify({ app: 10 }))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function put(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

/** Does not get smaller by gzip, so that `kib` is what it weighs. */
const noise = (kib: number): string => randomBytes(kib * 512 * 1.34).toString('base64')

function build(sizes: { entry: number; shared: number; lazy: number; css: number }): void {
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
    }),
  )
  put('dist/web/app/a/main.js', noise(sizes.entry))
  put('dist/web/app/a/shared.js', noise(sizes.shared))
  put('dist/web/app/a/lazy.js', noise(sizes.lazy))
  put('dist/web/app/a/main.css', noise(sizes.css))
}

const check = () => spawnSync(process.execPath, [CHECK], { cwd: folder, encoding: 'utf8' })

describe('the budget of a first load', () => {
  test('what is loaded later does not count', () => {
    build({ entry: 4, shared: 3, lazy: 50, css: 1 })
    expect(check().status).toBe(0)
  })
  test('the entry, what it imports and its styles count together', () => {
    build({ entry: 6, shared: 6, lazy: 0, css: 6 })
    const { status, stderr } = check()
    expect(status).toBe(1)
    expect(stderr).toMatch(/app: first load is 1\d\.\d KiB, the budget is 10/)
  })
  test('an app that was built without a manifest fails', () => {
    put('dist/web/app/index.html', '')
    expect(check().status).toBe(1)
  })
  test('without any built app the check is skipped', () => {
    expect(check().status).toBe(77)
  })
})
