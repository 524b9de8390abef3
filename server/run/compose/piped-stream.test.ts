import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { joinSockets } from './piped-stream.ts'

const host = '127.0.0.1'

async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer({ allowHalfOpen: true }, onConnection).listen(0, host)
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** A connection that takes time, as one to another machine does: what is written waits for it. */
function slowToOpen(port: number, afterMs: number): Duplex {
  const socket = connect({ port, host })
  return new Duplex({
    construct: (done) => void setTimeout(done, afterMs),
    read: () => void socket.once('data', () => undefined),
    write: (chunk, _encoding, done) => void socket.write(chunk, done),
    final: (done) => void socket.end(done),
    destroy: (error, done) => void done(socket.destroy() && error),
  })
}

test('an answer that is complete before the connection for it is open arrives', async () => {
  const far = Promise.withResolvers<Socket>()
  const toViewer = await listen(far.resolve)
  const toWorker = await listen((socket) => socket.end('the answer'))
  joinSockets(slowToOpen(toViewer, 200), connect({ port: toWorker, host }))
  expect(await text(await far.promise)).toBe('the answer')
})

test('an answer arrives, too, if its connection is reset afterwards', async () => {
  const far = Promise.withResolvers<Socket>()
  const toViewer = await listen(far.resolve)
  const toWorker = await listen((socket) => {
    socket.write('refused')
    setTimeout(() => socket.resetAndDestroy(), 50)
  })
  joinSockets(slowToOpen(toViewer, 200), connect({ port: toWorker, host }))
  expect(await text(await far.promise)).toBe('refused')
})

test('a client that stays when its stream has ended is disconnected after some seconds', async () => {
  const far = Promise.withResolvers<Socket>()
  const toViewer = await listen(far.resolve)
  const toWorker = await listen((socket) => socket.end('the last picture'))
  const viewer = connect({ port: toViewer, host })
  const since = performance.now()
  joinSockets(viewer, connect({ port: toWorker, host }))
  const client = await far.promise
  onTestFinished(() => void client.destroy())
  expect(await text(client)).toBe('the last picture')
  await once(viewer, 'close')
  expect(performance.now() - since).toBeGreaterThan(4000)
  expect(performance.now() - since).toBeLessThan(9000)
})

test.each([
  ['disconnected', { maxStallMs: 1000 }],
  ['waited for', {}],
])('a client that takes nothing of a stream is %s with %o', async (_, limit) => {
  const far = Promise.withResolvers<Socket>()
  const toViewer = await listen(far.resolve)
  const toWorker = await listen((socket) => {
    const sending = setInterval(() => socket.write(Buffer.alloc(100_000)), 1)
    socket.on('error', () => undefined).on('close', () => clearInterval(sending))
    setTimeout(() => socket.destroy(), 1000)
  })
  const [viewer, worker] = [connect({ port: toViewer, host }), connect({ port: toWorker, host })]
  joinSockets(viewer, worker, limit)
  const client = (await far.promise).pause()
  onTestFinished(() => void client.destroy())
  await sleep(4000)
  expect(viewer.destroyed).toBe('maxStallMs' in limit)
})
