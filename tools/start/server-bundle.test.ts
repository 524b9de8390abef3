import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { withSourcePositions } from '@sightline/platform/log'
import { afterEach, beforeEach, expect, test } from 'vitest'

const repository = resolve(import.meta.dirname, '../..')
const START = 'server/run/programs/start.ts'
const OTHERS = [
  'server/run/programs/media.ts',
  'camera-simulator/src/main.ts',
  'server/api/src/reports/pdf/printing-process.ts',
  'server/api/src/resellers/brand-pictures/reencoding-thread.ts',
]

let checkout: string
beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'sightline-bundle-'))
  await cp(join(repository, 'tools/start'), join(checkout, 'tools/start'), { recursive: true })
  await cp(join(repository, 'tools/build-server.mjs'), join(checkout, 'tools/build-server.mjs'))
  await symlink(join(repository, 'node_modules'), join(checkout, 'node_modules'))
  await mkdir(join(checkout, 'contract'))
  await write('package-lock.json', '{}')
  for (const file of [START, ...OTHERS]) await write(file, 'console.log(import.meta.filename)')
})
afterEach(() => rm(checkout, { recursive: true, force: true }))

async function write(file: string, content: string): Promise<void> {
  await mkdir(dirname(join(checkout, file)), { recursive: true })
  await writeFile(join(checkout, file), content)
}

function run(...words: string[]): { stdout: string; stderr: string } {
  return spawnSync(process.execPath, words, { encoding: 'utf8' })
}

/** What that function of server-bundle.mjs answers in the checkout, and what it prints as an error. */
function ask(call: 'serverProgram()' | 'bundledServer(process.execPath)'): { program: string; stderr: string } {
  const module = pathToFileURL(join(checkout, 'tools/start/server-bundle.mjs'))
  const code = `const m = await import('${module}'); console.log(await m.${call})`
  const { stdout, stderr } = run('--input-type=module', '-e', code)
  return { program: stdout.trim(), stderr }
}

const bundle = () => ask('bundledServer(process.execPath)')

test('a bundled program starts programs of the bundle, and reads files next to its source', async () => {
  await write('server/run/programs/note.txt', 'beside the source')
  await write(
    START,
    `import { readFileSync } from 'node:fs'
     import { fileURLToPath } from 'node:url'
     console.log(readFileSync(new URL('./note.txt', import.meta.url), 'utf8'))
     console.log(import.meta.dirname)
     console.log(fileURLToPath(new URL('./media.ts', import.meta.url)))`,
  )
  const { program } = bundle()
  const [note, folder, mediaWorker = ''] = run(program).stdout.split('\n')
  expect([note, folder]).toEqual(['beside the source', join(checkout, 'server/run/programs')])
  expect(mediaWorker).toBe(join(dirname(program), 'media-worker.mjs'))
  expect(run(mediaWorker).stdout.trim()).toBe(join(checkout, 'server/run/programs/media.ts'))
})

test('a bundle of outdated sources is not run', async () => {
  const first = bundle().program
  expect(first).toMatch(/dist\/server\/[0-9a-f]{16}\/start\.mjs$/)
  expect(ask('serverProgram()').program).toBe(first)
  await write(OTHERS[1] ?? '', '')
  expect(ask('serverProgram()').program).toBe(join(checkout, START))
  expect(bundle().program).not.toBe(first)
})

test('old bundles are removed eventually', async () => {
  for (const content of ['1', '2', '3', '4']) {
    await write(OTHERS[1] ?? '', content)
    bundle()
  }
  expect(await readdir(join(checkout, 'dist/server'))).toHaveLength(3)
})

test('the most recently run bundle stays, however old it is', async () => {
  const run = async (content: string) => {
    await write(OTHERS[1] ?? '', content)
    return dirname(bundle().program)
  }
  const first = await run('1')
  for (const content of ['2', '3', '1', '4']) await run(content)
  expect(existsSync(first)).toBe(true)
})

test('a bundle stays while a server runs from it', async () => {
  const module = JSON.stringify(pathToFileURL(join(checkout, 'tools/start/server-bundle.mjs')).href)
  const code = `const m = await import(${module}); console.log(await m.bundledServer(process.execPath)); setInterval(() => {}, 1000)`
  const starter = spawn(process.execPath, ['--input-type=module', '-e', code])
  try {
    const [program] = await once(starter.stdout.setEncoding('utf8'), 'data')
    const folder = dirname(String(program).trim())
    const bundleOthers = async (contents: string) => {
      for (const content of contents) {
        await write(OTHERS[1] ?? '', content)
        bundle()
      }
    }
    await bundleOthers('1234')
    expect(existsSync(folder)).toBe(true)
    starter.kill('SIGKILL')
    await once(starter, 'exit')
    await bundleOthers('5')
    expect(existsSync(folder)).toBe(false)
  } finally {
    starter.kill('SIGKILL')
  }
})

/** Bundles and runs `meanwhile` after the list of sources was read. */
function bundleWhile(meanwhile: string): { stderr: string } {
  const code = `import { spawnSync } from 'node:child_process'
    import { existsSync, readdirSync, writeFileSync } from 'node:fs'
    const bundles = ${JSON.stringify(join(checkout, 'dist/server'))}
    const timer = setInterval(() => {
      if (!existsSync(bundles)) return
      clearInterval(timer)
      ${meanwhile}
    })`
  return run(`--import=data:text/javascript,${encodeURIComponent(code)}`, join(checkout, 'tools/build-server.mjs'))
}

test('a bundle that another start created meanwhile is not replaced, because a server may run from it', async () => {
  const builder = JSON.stringify(join(checkout, 'tools/build-server.mjs'))
  const { stderr } = bundleWhile(`spawnSync(process.execPath, [${builder}])
    for (const made of readdirSync(bundles).filter((name) => name.length === 16)) writeFileSync(bundles + '/' + made + '/used', '')`)
  expect(stderr).toBe('')
  const { program } = ask('serverProgram()')
  expect(existsSync(join(dirname(program), 'used'))).toBe(true)
  expect(run(program).stdout.trim()).toBe(join(checkout, START))
  expect(await readdir(join(checkout, 'dist/server'))).toHaveLength(1)
})

test('sources that change during bundling produce no bundle', async () => {
  const { stderr } = bundleWhile(`writeFileSync(${JSON.stringify(join(checkout, OTHERS[1] ?? ''))}, '')`)
  expect(stderr).toContain('changed while they were bundled')
  expect(await readdir(join(checkout, 'dist/server'))).toEqual([])
})

test('if bundling fails, the sources run and the reason is printed', async () => {
  await write(START, `import '../not-there.ts'`)
  const { program, stderr } = bundle()
  expect(program).toBe(join(checkout, START))
  expect(stderr).toMatch(/from its sources.*not-there/s)
})

test('an error in the bundle is logged with its position in the source', async () => {
  await write(START, `interface Erased {\n  readonly type: string\n}\n\nconsole.log(new Error('here').stack)`)
  const { stdout } = run(bundle().program)
  expect(stdout).not.toContain(START)
  expect(withSourcePositions(stdout)).toMatch(/Error: here\n {4}at .*\/server\/run\/programs\/start\.ts:5:/)
})
