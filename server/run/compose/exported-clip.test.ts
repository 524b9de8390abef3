import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readExportedClip } from './exported-clip.ts'

async function asked(answer: (res: ServerResponse) => unknown) {
  const server = createServer((_req, res) => answer(res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    request: request({ port, host: '127.0.0.1', agent: false }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
const { signal } = new AbortController()

test('a clip that begins in time may be silent for longer than it had for its beginning', async () => {
  await using worker = await asked(async (res) => {
    res.writeHead(200, { 'x-clip-sound': 'kept' }).flushHeaders()
    await sleep(1000)
    res.end('late')
  })
  const answer = await readExportedClip(worker.request, signal, { beginMs: 400 })
  if (answer.kind !== 'clip') return expect.fail(answer.kind)
  const chunks: Uint8Array[] = []
  for await (const chunk of answer.chunks) chunks.push(chunk)
  expect(String(Buffer.concat(chunks))).toBe('late')
})

test('a clip that doesn’t begin, or stays silent for too long, is given up', async () => {
  await using silent = await asked(() => undefined)
  expect(await readExportedClip(silent.request, signal, { beginMs: 100 })).toEqual({ kind: 'away' })
  await using stuck = await asked((res) => res.writeHead(200).flushHeaders())
  const answer = await readExportedClip(stuck.request, signal, { idleMs: 100 })
  if (answer.kind !== 'clip') return expect.fail(answer.kind)
  const reading = (async () => {
    for await (const _ of answer.chunks);
  })()
  await expect(reading).rejects.toThrow()
})

test('sound that a machine of an older version says nothing of is unknown', async () => {
  await using worker = await asked((res) => res.writeHead(200).end('clip'))
  expect(await readExportedClip(worker.request, signal)).toMatchObject({ kind: 'clip', sound: undefined })
})

test('a machine that can’t draw into pictures says whether it is for their codec', async () => {
  await using other = await asked((res) => res.writeHead(422).end())
  expect(await readExportedClip(other.request, signal)).toEqual({ kind: 'noEncoder' })
  await using codec = await asked((res) => res.writeHead(422, { 'x-clip-refusal': 'codec' }).end())
  expect(await readExportedClip(codec.request, signal)).toEqual({ kind: 'codecChange' })
})
