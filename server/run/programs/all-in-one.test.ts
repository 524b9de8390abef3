import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openDataFolder } from '@sightline/platform/startup'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-run-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Runs the program to its end; every test here expects it to exit. */
function run(environment: Record<string, string>, ...words: string[]) {
  const env = {
    SIGHTLINE_DATA_DIR: join(folder, 'data'),
    SIGHTLINE_PORT: '0',
    SIGHTLINE_METRICS_PORT: '0',
    ...environment,
  }
  const answer = spawnSync(process.execPath, [join(import.meta.dirname, 'all-in-one.ts'), ...words], {
    env,
    encoding: 'utf8',
    timeout: 15_000,
  })
  return { code: answer.status, errors: answer.stderr, output: answer.stdout }
}

test.each(['SIGHTLINE_PORT', 'SIGHTLINE_RTSP_PORT'])(
  'a port in use, here of %s, stops the start with one sentence, before anything is started',
  async (setting) => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { code, errors } = run({ [setting]: String(port) })
    other.close()
    expect(errors).toBe(`Port ${port} on 127.0.0.1 is in use by another program. Set ${setting} to a free port.\n`)
    expect(code).toBe(1)
    expect(existsSync(join(folder, 'data/postgres'))).toBe(false)
  },
)

test('a data folder in use stops the start with one sentence', async () => {
  await using held = await openDataFolder(join(folder, 'data'))
  const { code, errors } = run({})
  expect(errors).toMatch(/^The data folder .* is in use by another Sightline \(process \d+\)\. [^\n]+\n$/)
  expect(code).toBe(1)
  expect(readdirSync(held.path)).toEqual(['lock'])
})

test.each([
  ['data', 'data'],
  ['data', 'data/deep'],
])('a file %s in the way of the data folder %s stops the start with one sentence', async (file, path) => {
  await writeFile(join(folder, file), '')
  const { code, errors } = run({ SIGHTLINE_DATA_DIR: join(folder, path) })
  expect(errors).toMatch(/^Could not create the data folder .*, because .* is not a folder: [^\n]+\n$/)
  expect(code).toBe(1)
})

test.each([
  ['missing', undefined, "can't be read (ENOENT): expected a database in the MaxMind DB format (.mmdb)."],
  ['none', '<html>', 'is not a complete database in the MaxMind DB format (.mmdb): download it again and unpack it.'],
])(
  'a location database that is %s stops the start with one sentence, before anything is started',
  async (_, content, said) => {
    const file = join(folder, 'places.mmdb')
    if (content !== undefined) await writeFile(file, content)
    const { code, errors } = run({ SIGHTLINE_PLACE_DATABASE: file })
    expect(errors).toBe(`SIGHTLINE_PLACE_DATABASE: ${file} ${said}\n`)
    expect(code).toBe(1)
    expect(existsSync(join(folder, 'data/postgres'))).toBe(false)
  },
)

test("a database that doesn't answer stops the start with one sentence and without its password", () => {
  const { code, errors, output } = run({ DATABASE_URL: 'postgres://u:p1anted@127.0.0.1:1/d' })
  expect(errors).toBe('Could not connect to the database in DATABASE_URL: nothing is listening at its address.\n')
  expect(code).toBe(1)
  expect(output).not.toContain('p1anted')
})

/** Accepts connections and never says anything, like a machine that hangs. */
async function silentServer(): Promise<{ port: number } & AsyncDisposable> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Runs the program against a database that hangs. */
async function hangingStart(port: number) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'all-in-one.ts')], {
    env: {
      SIGHTLINE_DATA_DIR: join(folder, 'data'),
      SIGHTLINE_PORT: '0',
      SIGHTLINE_METRICS_PORT: '0',
      DATABASE_URL: `postgres://u:p1anted@127.0.0.1:${port}/d`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors = text(child.stderr)
  child.stdout.resume()
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
  return { child, errors, ended }
}

test('a database that hangs stops the start with one sentence', async () => {
  await using database = await silentServer()
  const { errors, ended } = await hangingStart(database.port)
  expect(await ended).toEqual({ code: 1, signal: null })
  expect(await errors).toBe('Could not connect to the database in DATABASE_URL: no response.\n')
})

test('SIGTERM ends a start that hangs', async () => {
  await using database = await silentServer()
  const { child, ended } = await hangingStart(database.port)
  await expect.poll(() => existsSync(join(folder, 'data/lock'))).toBe(true)
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 6000)
  expect(await ended).toEqual({ code: 0, signal: null })
  clearTimeout(late)
  expect(existsSync(join(folder, 'data/lock'))).toBe(false)
})

test('--print-config shows the settings, hides secrets and changes nothing', () => {
  const { code, output } = run({ DATABASE_URL: 'postgres://u:p1anted@h/d', SIGHTLINE_LOG: 'warn' }, '--print-config')
  expect(output).toContain('SIGHTLINE_LOG: warn\n')
  expect(output).toContain('DATABASE_URL: [hidden]\n')
  expect(output).not.toContain('p1anted')
  expect(code).toBe(0)
  expect(existsSync(join(folder, 'data'))).toBe(false)
})
