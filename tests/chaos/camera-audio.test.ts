/** Sound from the API's request down to the camera's loudspeaker, by the worker that owns the camera. */
import type { TalkAnswer, TalkQuestion } from '@sightline/contract/media-plane'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { toOtherLaw } from '../../server/media/src/sound/index.ts'
import { listStatuses, until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

let watched: WatchedCamera
let worker: MediaWorker
beforeAll(async () => {
  watched = await watchedCamera({ backChannel: 'PCMA', media: { talk: (question) => worker.talk(question) } })
  worker = await watched.openWorker()
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
  worker.talk({ cameraId: watched.cameraId, talkId, law: 'PCMU', ...question } as TalkQuestion)
const send = (body: Uint8Array) =>
  fetch(`${watched.api.origin}/rest/v2.4/cameras/${watched.cameraId}/audio`, {
    method: 'POST',
    headers: { authorization: `Bearer ${watched.token}`, 'content-type': 'audio/basic' },
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
