import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { sendChunks } from './send-chunks.ts'

const LARGE = 200_000

/** A client's answer, and the server's end of it. */
async function asked(
  send: (res: ServerResponse) => Promise<void>,
): Promise<{ answer: IncomingMessage; sent: Promise<void> }> {
  const sent = Promise.withResolvers<void>()
  const server = createServer((_, res) => send(res).then(sent.resolve, sent.reject)).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const [answer] = await once(get({ port: (server.address() as AddressInfo).port, agent: false }), 'response')
  return { answer, sent: sent.promise }
}

async function* each(chunks: readonly Uint8Array[]) {
  yield* chunks
}

const patterned = (seed: number) => Uint8Array.from({ length: LARGE }, (_, at) => at * seed)

test('chunks arrive as they were, and the memory of each is freed once it is sent', async () => {
  const chunks = [patterned(3), patterned(7)]
  const expected = Buffer.concat(chunks)
  const { answer, sent } = await asked((res) => sendChunks(each(chunks), res, new AbortController().signal))
  expect(expected.equals(await buffer(answer))).toBe(true)
  await sent
  expect(chunks.map(({ byteLength }) => byteLength)).toEqual([0, 0])
})

test('memory that a chunk shares with others is left alone', async () => {
  const whole = patterned(5)
  const small = Uint8Array.of(1, 2, 3)
  const { answer, sent } = await asked((res) =>
    sendChunks(each([whole.subarray(0, LARGE / 2), small]), res, new AbortController().signal),
  )
  expect((await buffer(answer)).length).toBe(LARGE / 2 + 3)
  await sent
  expect([whole.byteLength, small.byteLength]).toEqual([LARGE, 3])
})

test('what is aborted breaks off, and the client learns that bytes are missing', async () => {
  const abort = new AbortController()
  async function* endless() {
    for (;;) yield patterned(3)
  }
  const { answer, sent } = await asked((res) => {
    res.writeHead(200, { 'content-length': 1e12 })
    return sendChunks(endless(), res, abort.signal)
  })
  await once(answer, 'data')
  abort.abort()
  answer.resume()
  await expect(once(answer, 'end')).rejects.toThrow('aborted')
  await sent
})

test('reading ends when the client disconnects', async () => {
  const ended = Promise.withResolvers<void>()
  async function* endless() {
    try {
      for (;;) yield patterned(3)
    } finally {
      ended.resolve()
    }
  }
  const { answer, sent } = await asked((res) => sendChunks(endless(), res, new AbortController().signal))
  await once(answer, 'data')
  answer.destroy()
  await ended.promise
  await sent
})
