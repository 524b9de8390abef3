import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger, silentLogger } from '@sightline/platform/log'
import { StartError } from '@sightline/platform/startup'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startChild } from './child-process.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-child-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A child process whose start function has this body; `settings` and `channel` are in scope. */
async function entry(body: string): Promise<string> {
  const file = join(folder, 'child.ts')
  const channel = new URL('./child-channel.ts', import.meta.url)
  const startup = new URL('../../platform/src/startup/index.ts', import.meta.url)
  await writeFile(
    file,
    `import { runAsChild } from '${channel}'
     import { StartError } from '${startup}'
     runAsChild(async (settings: any, channel: any) => { ${body} })`,
  )
  return file
}

function inbox<T>() {
  const kept: T[] = []
  const waiting: ((message: T) => void)[] = []
  return {
    put(message: T) {
      const next = waiting.shift()
      if (next === undefined) kept.push(message)
      else next(message)
    },
    take: async (): Promise<T> => kept.shift() ?? new Promise<T>((resolve) => waiting.push(resolve)),
  }
}

const nothing = 'return { async [Symbol.asyncDispose]() {} }'
const common = { name: 'worker', log: silentLogger, signal: new AbortController().signal }

test('a child gets its settings and messages over the channel, and no arguments or environment', async () => {
  const messages = inbox<unknown>()
  const child = await startChild<{ secret: string }, number, unknown>({
    ...common,
    entry: await entry(`
      channel.onMessage((n: number) => channel.send(n * 2))
      channel.send({ secret: settings.secret, argv: process.argv.length, env: Object.keys(process.env) })
      ${nothing}`),
    settings: { secret: 'between us' },
    onMessage: messages.put,
  })
  expect(await messages.take()).toEqual({
    secret: 'between us',
    argv: 2,
    env: ['UV_THREADPOOL_SIZE', 'MALLOC_ARENA_MAX'],
  })
  child.send(21)
  expect(await messages.take()).toBe(42)
  await child[Symbol.asyncDispose]()
  expect(child.pid()).toBeUndefined()
})

test('nothing that a child sends ends its parent', async () => {
  const messages = inbox<unknown>()
  await using _child = await startChild<object, number, { readonly ids: readonly number[] }>({
    ...common,
    entry: await entry(`
      process.send!(null)
      channel.send({})
      channel.send({ ids: [1] })
      ${nothing}`),
    settings: {},
    onMessage: ({ ids }) => messages.put(ids.map((id) => id)),
  })
  expect(await messages.take()).toEqual([1])
})

test('a socket can be handed to the child', async () => {
  const child = await startChild<null, string, never>({
    ...common,
    entry: await entry(`channel.onMessage((text: string, socket: any) => socket.end(text)); ${nothing}`),
    settings: null,
  })
  const sockets = inbox<Socket>()
  const server = createServer({ pauseOnConnect: true }, sockets.put)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const client = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1')
  child.handOver('hello from the child', await sockets.take())
  let text = ''
  for await (const chunk of client) text += chunk
  expect(text).toBe('hello from the child')
  server.close()
  await child[Symbol.asyncDispose]()
})

test('what a peer sends while its connection is on the way arrives in order, also what was read before', async () => {
  await using child = await startChild<null, string, never>({
    ...common,
    entry: await entry(
      `channel.onMessage((text: string, socket: any) => {
         let got = ''
         socket.on('data', (bytes: Buffer) => { got += bytes; if (got.endsWith('!')) socket.end(text + got) })
       }); ${nothing}`,
    ),
    settings: null,
  })
  const sockets = inbox<Socket>()
  const server = createServer(sockets.put)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const client = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1')
  client.setNoDelay(true)
  client.write('one ')
  const socket = await sockets.take()
  await once(socket, 'data')
  socket.pause()
  client.write('two ')
  await sleep(100)
  // The child takes the connection later.
  const pid = child.pid() ?? 0
  process.kill(pid, 'SIGSTOP')
  child.handOver('got: ', socket)
  for (const word of ['three ', 'four ']) {
    client.write(word)
    await sleep(100)
  }
  process.kill(pid, 'SIGCONT')
  await sleep(100)
  client.write('five!')
  let text = ''
  for await (const chunk of client) text += chunk
  expect(text).toBe('got: two three four five!')
  server.close()
})

test('sockets that arrive faster than the child accepts them wait', async () => {
  const child = await startChild<null, string, never>({
    ...common,
    entry: await entry(`channel.onMessage((text: string, socket: any) => socket.end(text)); ${nothing}`),
    settings: null,
  })
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    child.handOver('hello', socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const answers = Array.from({ length: 50 }, async () => {
    let text = ''
    for await (const chunk of connect(port, '127.0.0.1')) text += chunk
    return text
  })
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['hello']))
  server.close()
  await child[Symbol.asyncDispose]()
})

test('a connection on its way to a child that dies is closed', async () => {
  await using child = await startChild<null, string, never>({
    ...common,
    entry: await entry(`channel.onMessage((text: string, socket: any) => socket.end(text)); ${nothing}`),
    settings: null,
  })
  const sockets = inbox<Socket>()
  const server = createServer({ pauseOnConnect: true }, sockets.put)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const clients = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  const pid = child.pid() ?? 0
  process.kill(pid, 'SIGSTOP')
  // The first is on its way, and the second waits for it.
  expect(child.handOver('never said', await sockets.take())).toBe(true)
  expect(child.handOver('never said', await sockets.take())).toBe(true)
  process.kill(pid, 'SIGKILL')
  for (const client of clients) {
    let text = ''
    for await (const chunk of client) text += chunk
    expect(text).toBe('')
  }
  server.close()
})

test('a child that dies is restarted, and its parent is notified', async () => {
  const restarts = inbox<void>()
  const child = await startChild<null, never, never>({
    ...common,
    entry: await entry(nothing),
    settings: null,
    onRestart: () => restarts.put(),
  })
  const first = child.pid()
  process.kill(first ?? 0, 'SIGKILL')
  await restarts.take()
  expect(child.pid()).not.toBe(first)
  await child[Symbol.asyncDispose]()
})

test('what a child asks to remember reaches the next one, and the first one has nothing', async () => {
  const messages = inbox<unknown>()
  const child = await startChild<null, never, unknown>({
    ...common,
    entry: await entry(`
      channel.send(channel.recalled ?? 'nothing')
      channel.remember({ starts: 0 })
      channel.remember({ starts: (channel.recalled?.starts ?? 0) + 1, bytes: Buffer.from('a'), ids: new Map([[1, [2]]]) })
      ${nothing}`),
    settings: null,
    onMessage: messages.put,
  })
  expect(await messages.take()).toBe('nothing')
  process.kill(child.pid() ?? 0, 'SIGKILL')
  expect(await messages.take()).toEqual({ starts: 1, bytes: Buffer.from('a'), ids: new Map([[1, [2]]]) })
  await expect.poll(() => child.pid()).toBeDefined()
  process.kill(child.pid() ?? 0, 'SIGKILL')
  expect(await messages.take()).toMatchObject({ starts: 2 })
  await expect.poll(() => child.pid()).toBeDefined()
  await child[Symbol.asyncDispose]()
})

test('a child that is just being started again is stopped with its parent', async () => {
  const messages = inbox<number>()
  const child = await startChild<null, never, number>({
    ...common,
    entry: await entry(
      `channel.send(process.pid); await new Promise((resolve) => setTimeout(resolve, 300)); ${nothing}`,
    ),
    settings: null,
    onMessage: messages.put,
  })
  process.kill(await messages.take(), 'SIGKILL')
  const pid = await messages.take()
  expect(child.pid()).toBeUndefined()
  await child[Symbol.asyncDispose]()
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('a child that hangs is reported within 5 s, ended, and started again within 10 s', async () => {
  const restarts = inbox<number>()
  const child = await startChild<null, never, never>({
    ...common,
    entry: await entry(nothing),
    settings: null,
    onRestart: () => restarts.put(Date.now()),
  })
  const first = child.pid() ?? 0
  expect(child.isResponding()).toBe(true)
  const hungAt = Date.now()
  // Checked just before: it is our own child.
  process.kill(first, 'SIGSTOP')
  await expect.poll(child.isResponding, { timeout: 5000 }).toBe(false)
  expect(child.pid()).toBe(first)
  expect((await restarts.take()) - hungAt).toBeLessThan(10_000)
  expect(child.pid()).not.toBe(first)
  expect(() => process.kill(first, 0)).toThrow('ESRCH')
  expect(child.isResponding()).toBe(true)
  await child[Symbol.asyncDispose]()
})

test('a child that refuses to start reports its own message', async () => {
  const file = await entry(`throw new StartError('The camera network is down.')`)
  const start = startChild({ ...common, entry: file, settings: null })
  await expect(start).rejects.toThrow(StartError)
  await expect(startChild({ ...common, entry: file, settings: null })).rejects.toThrow('The camera network is down.')
})

test('a child that crashes while starting is an error, not a hang', async () => {
  const start = startChild({ ...common, entry: await entry('process.exit(3)'), settings: null })
  await expect(start).rejects.toThrow('worker stopped with 3 while starting')
})

test("stopping waits for the child's remaining work", async () => {
  const messages = inbox<string>()
  const child = await startChild<null, never, string>({
    ...common,
    entry: await entry(`return { async [Symbol.asyncDispose]() {
      await new Promise((resolve) => setTimeout(resolve, 200))
      channel.send('finished')
    } }`),
    settings: null,
    onMessage: messages.put,
  })
  await child[Symbol.asyncDispose]()
  expect(await messages.take()).toBe('finished')
})

test('a child that dies just before everything stops is neither reported nor restarted', async () => {
  const said: string[] = []
  const log = createLogger({ level: 'warn', format: 'json', name: 'test' }, { write: (line) => said.push(line) })
  const stop = new AbortController()
  let restarts = 0
  const child = await startChild<null, never, never>({
    name: 'worker',
    log,
    signal: stop.signal,
    entry: await entry(nothing),
    settings: null,
    onRestart: () => (restarts += 1),
  })
  process.kill(child.pid() ?? 0, 'SIGKILL')
  while (child.pid() !== undefined) await new Promise((resolve) => setImmediate(resolve))
  stop.abort()
  await child[Symbol.asyncDispose]()
  expect({ said, restarts }).toEqual({ said: [], restarts: 0 })
})

test.each(['SIGINT', 'SIGHUP'] as const)('a child leaves %s to its parent', async (signal) => {
  const messages = inbox<number>()
  const child = await startChild<null, number, number>({
    ...common,
    entry: await entry(`channel.onMessage((n: number) => channel.send(n)); ${nothing}`),
    settings: null,
    onMessage: messages.put,
  })
  process.kill(child.pid() ?? 0, signal)
  child.send(1)
  expect(await messages.take()).toBe(1)
  await child[Symbol.asyncDispose]()
})

test('a child that hangs in the end of its process does not outlive its parent', async () => {
  const stuck = `process.on('exit', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)); ${nothing}`
  const file = join(folder, 'parent.ts')
  const [starter, logger] = ['./child-process.ts', '../../platform/src/log/index.ts'].map(
    (at) => new URL(at, import.meta.url),
  )
  await writeFile(
    file,
    `import { startChild } from '${starter}'
     import { silentLogger as log } from '${logger}'
     const signal = new AbortController().signal
     const child = await startChild({ name: 'worker', log, signal, entry: '${await entry(stuck)}', settings: null })
     console.log(child.pid())`,
  )
  const parent = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: parent.stdout }), 'line')
  const pid = Number(line)
  // By its program: somebody else may get the number.
  const isThere = async () => (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(folder)
  try {
    expect(await isThere()).toBe(true)
    parent.kill('SIGKILL')
    await expect.poll(isThere, { timeout: 20_000 }).toBe(false)
  } finally {
    if (await isThere()) process.kill(pid, 'SIGKILL')
  }
})
