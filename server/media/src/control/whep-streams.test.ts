/** Who waits for whom when streams are opened over WHEP. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createHub } from '../hub/index.ts'
import { openWebRtcPort } from '../webrtc/index.ts'
import { H264_TRACK, OFFER } from '../webrtc/offer-stage.ts'
import { tokenSessions } from './token-sessions-stage.ts'
import { whepStreams } from './whep-streams.ts'

const AWAY = 8

async function arranged() {
  const bugs: unknown[] = []
  const port = await openWebRtcPort({
    host: '127.0.0.1',
    port: 0,
    addresses: ['127.0.0.1'],
    onBug: (bug) => bugs.push(bug),
  })
  const [live, away] = [createHub(), createHub()]
  live.publish({ kind: 'tracks', tracks: [H264_TRACK] })
  const { sessions, open } = tokenSessions({ rights: ['LiveCamera'] })
  const whep = whepStreams({
    workerId: 'media-1',
    port,
    sessions,
    channels: { hubOf: (cameraId) => (cameraId === AWAY ? away : live), isPrivate: () => false },
    onBegin: async () => undefined,
    onOverload: () => undefined,
    counted: (_, stream) => stream(),
  })
  const server = createServer((req, res) => {
    whep.handle(req, res, String(req.headers['x-forwarded-for'])).catch(() => res.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    whep[Symbol.dispose]()
    await port[Symbol.asyncDispose]()
    server.closeAllConnections()
    server.close()
    expect(bugs).toEqual([])
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    open,
    ask: (cameraId: number, from: string, token = 'token') =>
      fetch(`${origin}/stream/whep/open?camera_id=${cameraId}&access_token=${token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/sdp', 'x-forwarded-for': from },
        body: OFFER,
      }),
  }
}

test('viewers who wait for a camera that is away hold up nobody else', async () => {
  const { ask, open } = await arranged()
  const waiting = Array.from({ length: 12 }, (_, index) => ask(AWAY, `192.0.2.${index}`))
  await expect.poll(() => open.length).toBe(12)
  const began = performance.now()
  const answer = await ask(7, '192.0.2.1')
  expect(answer.status).toBe(201)
  expect(performance.now() - began).toBeLessThan(2000)
  // The same for those who may see nothing.
  expect((await ask(7, '192.0.2.1', 'wrong')).status).toBe(403)
  for (const abort of [...open]) abort.abort(9)
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(12).fill(424))
  await expect.poll(() => open).toEqual([])
})
