import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { relayAnswer } from './relay-answer.ts'

async function socketPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-relay-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'worker.sock')
}

/** A front in front of a worker that answers like this. Returns the front's port. */
async function frontOf(path: string): Promise<number> {
  const front = createServer((req, res) => {
    const headers = { host: 'worker.example' }
    void buffer(req).then((body) =>
      relayAnswer({ method: req.method ?? '', url: req.url ?? '', headers, body }, res, path),
    )
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    front.closeAllConnections()
    front.close()
  })
  await once(front, 'listening')
  return (front.address() as AddressInfo).port
}

async function answering(onRequest: (req: IncomingMessage, res: ServerResponse) => void): Promise<number> {
  const path = await socketPath()
  const worker = createServer(onRequest).listen(path)
  onTestFinished(() => {
    worker.closeAllConnections()
    worker.close()
  })
  await once(worker, 'listening')
  return await frontOf(path)
}

/** A worker that sends these bytes whatever it is asked, and closes. */
async function sending(send: (socket: Socket) => void): Promise<number> {
  const path = await socketPath()
  const worker = createSocketServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => send(socket))
  }).listen(path)
  onTestFinished(() => void worker.close())
  await once(worker, 'listening')
  return await frontOf(path)
}

async function ask(port: number, { method = 'GET', body = '' } = {}): Promise<IncomingMessage> {
  const asked = request({ host: '127.0.0.1', port, method, path: '/clip?of=1', agent: false }).end(body)
  const [answer] = await once(asked, 'response')
  return answer
}

const large = randomBytes(5_000_000)

test.each([
  ['with a length', (res: ServerResponse) => res.writeHead(206, { 'content-length': large.length }).end(large)],
  [
    'in chunks of every size',
    (res: ServerResponse) => {
      res.writeHead(206)
      for (let at = 0, size = 1; at < large.length; at += size, size = (size * 7 + 3) % 400_000) {
        res.write(large.subarray(at, at + size))
      }
      res.end()
    },
  ],
])('an answer %s arrives byte for byte, also at a client that pauses', async (_, send) => {
  const port = await answering((_req, res) => send(res.setHeader('x-of', 'a').setHeader('x-of', ['a', 'b'])))
  const answer = await ask(port)
  expect(answer.statusCode).toBe(206)
  expect(answer.headers['x-of']).toBe('a, b')
  const parts: Buffer[] = []
  for await (const part of answer) {
    parts.push(part)
    if (parts.length % 20 === 0) await sleep(2)
  }
  expect(Buffer.concat(parts).equals(large)).toBe(true)
})

test('what is asked arrives at the worker, with its body', async () => {
  const seen = Promise.withResolvers<unknown[]>()
  const port = await answering((req, res) => {
    void buffer(req).then((body) => seen.resolve([req.method, req.url, req.headers.host, body.toString()]))
    res.writeHead(201, { location: '/there', 'content-length': 0 }).end()
  })
  const answer = await ask(port, { method: 'POST', body: 'an offer' })
  expect(await seen.promise).toEqual(['POST', '/clip?of=1', 'worker.example', 'an offer'])
  expect([answer.statusCode, answer.headers.location, (await buffer(answer)).length]).toEqual([201, '/there', 0])
})

test('answers without a body end: HEAD, 204 and 304', async () => {
  const statuses = new Map([
    ['HEAD', 200],
    ['DELETE', 204],
    ['GET', 304],
  ])
  const port = await answering((req, res) => {
    res.writeHead(statuses.get(req.method ?? '') ?? 500, req.method === 'HEAD' ? { 'content-length': 1000 } : {}).end()
  })
  for (const [method, status] of statuses) {
    const answer = await ask(port, { method })
    expect([answer.statusCode, (await buffer(answer)).length]).toEqual([status, 0])
  }
})

test('bytes that come one by one are an answer too', async () => {
  const text = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n'
  const port = await sending((socket) => {
    void (async () => {
      for (const character of text) {
        socket.write(character)
        await sleep(1)
      }
      socket.end()
    })()
  })
  expect((await buffer(await ask(port))).toString()).toBe('abc0123456789')
})

test.each([
  ['before its answer', '', 503],
  ['in its head', 'HTTP/1.1 200 OK\r\nContent-', 503],
  ['with something else', 'RTSP/1.0 200 OK\r\n\r\n', 503],
  ['without a length', 'HTTP/1.1 200 OK\r\n\r\nabc', 503],
])('a worker that ends %s is answered for with 503', async (_, text, status) => {
  const port = await sending((socket) => socket.end(text))
  expect((await ask(port)).statusCode).toBe(status)
})

test.each([
  ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this'],
  ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nonly'],
  ['nonsense in place of a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n'],
])('an answer with %s that breaks off breaks off at the client, too', async (_, text) => {
  const port = await sending((socket) => socket.end(text))
  await expect(ask(port).then((answer) => buffer(answer))).rejects.toThrow(/aborted|hang up/)
})

test('a worker that is not there is answered for with 503', async () => {
  const port = await frontOf(await socketPath())
  const answer = await ask(port)
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2'])
})

test('a client that leaves ends the request at the worker, and one that takes nothing holds it back', async () => {
  let sent = 0
  const left = Promise.withResolvers<void>()
  const port = await answering((_req, res) => {
    res.on('close', left.resolve)
    const more = () => {
      while (!res.destroyed && res.write(large.subarray(0, 100_000))) sent += 100_000
    }
    res.on('drain', more)
    more()
  })
  const answer = await ask(port)
  answer.pause()
  await sleep(500)
  const before = sent
  await sleep(300)
  expect(sent).toBe(before)
  expect(sent).toBeLessThan(30_000_000)
  answer.destroy()
  await left.promise
})

test('a thousand short answers, each on a connection that the worker closes at once, arrive', async () => {
  const port = await answering((_req, res) => res.writeHead(200, { 'content-length': 2 }).end('ok'))
  for (let n = 0; n < 100; n++) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(port)))
    const texts = await Promise.all(answers.map(async (answer) => (await buffer(answer)).toString()))
    expect(new Set(texts)).toEqual(new Set(['ok']))
  }
})
