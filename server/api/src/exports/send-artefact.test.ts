import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { silentLogger } from '@sightline/platform/log'
import { expect, test } from 'vitest'
import type { ArtefactFiles } from './artefact-file.ts'
import { type FileRequest, fileSender, sendArtefact } from './send-artefact.ts'

/** The address of a client is in the path. */
async function serving(serve: (request: FileRequest) => Promise<void>) {
  const send = fileSender(silentLogger, serve)
  const server = createServer((req, res) => send(req, res, (req.url ?? '').slice(1)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ask: (address: string) => fetch(`http://127.0.0.1:${port}/${address}`),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

test('sixteen files are sent to an address at once, and another address is not kept waiting', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let running = 0
  await using server = await serving(async ({ res }) => {
    running += 1
    await ended
    res.end()
  })
  const first = Array.from({ length: 16 }, () => server.ask('a'))
  await expect.poll(() => running).toBe(16)
  const refused = await server.ask('a')
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: 16 }])
  const other = server.ask('b')
  await expect.poll(() => running).toBe(17)
  end()
  expect((await Promise.all([...first, other])).map(({ status }) => status)).toEqual(
    Array.from({ length: 17 }, () => 200),
  )
  expect((await server.ask('a')).status).toBe(200)
})

test('a file ends ten seconds after its permission was last confirmed, and is asked about once at a time', async () => {
  const size = 1_000_000_000
  let asked = 0
  const row = { account_id: 1, export_id: 2, attempt: 1, key_sealed: null, size_bytes: size, sha256: null }
  const sent = { row, disposition: 'inline', type: 'video/mp4' }
  const file = {
    async *read() {
      for (let at = 0; at < size; at += 1000) {
        yield Buffer.alloc(1000)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
  const artefacts = { open: async () => file } as unknown as ArtefactFiles
  const encryption = { open: () => Buffer.alloc(32).toString('base64') } as unknown as EnvelopeEncryption
  await using server = await serving((request) =>
    sendArtefact({ artefacts, encryption }, request, sent, () => {
      asked += 1
      return new Promise(() => undefined)
    }),
  )
  const began = performance.now()
  const answer = await server.ask('a')
  await expect(answer.arrayBuffer()).rejects.toThrow()
  expect(performance.now() - began).toBeGreaterThan(9000)
  expect(asked).toBe(1)
})
