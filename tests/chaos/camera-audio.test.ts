/** Sound from the API's request down to the camera's loudspeaker, by the worker that owns the camera. */
import { spawnSync } from 'node:child_process'
import type { TalkAnswer, TalkQuestion } from '@sightline/contract/media-plane'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { findFfmpeg, startTalkDecoder } from '../../server/media/src/decoder/index.ts'
import { g711Values, toOtherLaw } from '../../server/media/src/sound/index.ts'
import { listStatuses, until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

const ffmpeg = findFfmpeg(process.env.PATH ?? '') ?? ''
const withDecoder = test.skipIf(ffmpeg === '')

let watched: WatchedCamera
let worker: MediaWorker
beforeAll(async () => {
  watched = await watchedCamera({ backChannel: 'PCMA', media: { talk: (question) => worker.talk(question) } })
  worker = await watched.openWorker({ startTalkDecoder: (options) => startTalkDecoder({ ...options, ffmpeg }) })
  await untilConnected()
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched[Symbol.asyncDispose]()
})

const untilConnected = () =>
  until('the camera is online', async () => {
    const caller = { origin: watched.api.origin, token: watched.token }
    return (await listStatuses(caller)).every(({ online }) => online)
  })
const heard = (): Buffer => Buffer.concat(watched.camera.loudspeaker.heard.map(({ payload }) => payload))
const speech = (seed: number): Uint8Array => Uint8Array.from({ length: 4000 }, (_, index) => (index * seed) & 0xff)
const talk = (question: { step: 'open' | 'close' } | { step: 'sound'; sound: Uint8Array }, talkId = 'first') =>
  worker.talk({ cameraId: watched.cameraId, talkId, coding: 'PCMU', ...question } as TalkQuestion)
const send = (body: Uint8Array, type = 'audio/basic') =>
  fetch(`${watched.api.origin}/rest/v2.4/cameras/${watched.cameraId}/audio`, {
    method: 'POST',
    headers: { authorization: `Bearer ${watched.token}`, 'content-type': type },
    body: Buffer.from(body),
  })

test('what is sent to the API is heard at the camera, in the law that it takes, while it records', async () => {
  const before = heard().length
  const sound = speech(7)
  expect((await send(sound)).status).toBe(204)
  await until('all is heard', async () => heard().length === before + sound.length)
  expect(heard().subarray(before)).toEqual(Buffer.from(toOtherLaw(sound, 'pcmu')))
  expect(worker.problems()).toEqual([])
})

test('one person talks at a time, and the next one when they are done', async () => {
  expect(await talk({ step: 'open' })).toEqual({ kind: 'open' })
  expect((await send(speech(3))).status).toBe(409)
  expect(await talk({ step: 'sound', sound: speech(5) }, 'second')).toEqual({ kind: 'ended' })
  expect(await talk({ step: 'close' })).toEqual({ kind: 'ended' })
  expect((await send(speech(3))).status).toBe(204)
})

test('a private camera is left within a second, and nobody can talk through it', async () => {
  expect(await talk({ step: 'open' })).toEqual({ kind: 'open' })
  const path = `cameras/${watched.cameraId}/mode`
  const { status } = await watched.api.call(watched.token, `PATCH ${path}`, { mode: 'private' })
  expect(status).toBe(200)
  await worker.camerasChanged()
  const after: TalkAnswer = await talk({ step: 'sound', sound: speech(5) })
  expect(after).toEqual({ kind: 'ended' })
  expect((await send(speech(3))).status).toBe(424)
  await watched.api.call(watched.token, `PATCH ${path}`, { mode: 'silent' })
  await worker.camerasChanged()
  await untilConnected()
  expect((await send(speech(3))).status).toBe(204)
})

/** A tone of 440 Hz as AAC in ADTS frames, as a phone sends it. */
function tone(seconds: number, args: readonly string[]): Buffer {
  const source = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=44100:duration=${seconds}`]
  const { stdout, status } = spawnSync(ffmpeg, ['-loglevel', 'error', ...source, ...args, '-f', 'adts', 'pipe:1'])
  if (status !== 0) throw new Error(`ffmpeg ended with ${status}`)
  return stdout
}

/** How often a wave crosses zero upwards in a second. */
function frequencyOf(law: Buffer): number {
  const samples = Array.from(law, (byte) => g711Values.pcma[byte] ?? 0)
  const crossings = samples.filter((sample, at) => sample >= 0 && (samples[at - 1] ?? 0) < 0).length
  return (crossings * 8000) / samples.length
}

withDecoder.each([
  ['one channel at 16 kHz', ['-ac', '1', '-ar', '16000', '-b:a', '32k']],
  ['two channels at 44.1 kHz', ['-ac', '2', '-b:a', '128k']],
  ['few bits, so that a step has seconds of sound', ['-ac', '1', '-ar', '8000', '-b:a', '8k']],
])('AAC is heard as G.711, %s', { timeout: 20_000 }, async (_, args) => {
  const before = heard().length
  const begun = performance.now()
  expect((await send(tone(3, args), 'audio/aac')).status).toBe(204)
  // The reply comes once it was played.
  expect(performance.now() - begun).toBeGreaterThan(2000)
  const sound = heard().subarray(before)
  expect(Math.abs(sound.length - 3 * 8000)).toBeLessThan(2500)
  expect(Math.abs(frequencyOf(sound.subarray(4000, 20_000)) - 440)).toBeLessThan(5)
})

withDecoder('what is no AAC is refused, and the camera is free again', { timeout: 20_000 }, async () => {
  const before = heard().length
  for (const body of [speech(7), Buffer.concat([tone(0.3, ['-ac', '1']), Buffer.alloc(500, 7)])]) {
    const reply = await send(body, 'audio/aac')
    expect([reply.status, await reply.json()]).toMatchObject([400, { code: 3 }])
  }
  // Whole frames without sense in them.
  const nonsense = tone(2, ['-ac', '1']).map((byte, at, all) =>
    all[at - 8] === 0xff || at % 5 > 0 ? byte : byte ^ 0x55,
  )
  expect([204, 400]).toContain((await send(Buffer.from(nonsense), 'audio/aac')).status)
  expect(heard().length - before).toBeLessThan(3 * 8000)
  expect((await send(speech(3))).status).toBe(204)
})
