import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SimulatedCamera, startCameras } from '@sightline/camera-simulator'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { afterEach, expect, test } from 'vitest'
import { buildAdts } from '../codec/index.ts'
import { findFfmpeg, startTalkEncoder } from '../decoder/index.ts'
import { g711Values } from '../sound/index.ts'
import { checkedConnect } from '../source/camera-address.ts'
import { openBackChannel } from '../source/index.ts'
import { depacketizeAac } from '../source/rtsp/depacketize-audio.ts'
import { parseRtspAddress } from '../source/rtsp/rtsp-address.ts'
import { openTalks, type TalkDeps, type Talks } from './talks.ts'

// biome-ignore lint/style/noProcessEnv: a test has no composition root; the encoder is the machine's
const ffmpeg = findFfmpeg(process.env.PATH ?? '') ?? ''
const CAMERA = 7
const TALK = { cameraId: CAMERA, talkId: 'one' }
const HZ = 440
const PACKET = 160
const SECONDS = 5
const RATE = 16_000

let stack = new AsyncDisposableStack()
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

async function startTalks(encoder: TalkDeps['startTalkEncoder']): Promise<{ talks: Talks; camera: SimulatedCamera }> {
  const login = { username: 'viewer', password: 'right' }
  const settings = { name: 'Door', mac: '02:00:00:00:00:23', clips: await sceneClips('car-park') }
  const simulator = stack.use(await startCameras({ cameras: [{ ...settings, ...login, backChannel: 'AAC' }] }))
  const [camera] = simulator.cameras
  if (camera === undefined) throw new Error('no camera')
  const address = parseRtspAddress(camera.rtspAddress('main'))
  if (!address.ok) throw new Error(address.failure.detail)
  const opening = {
    address: address.value,
    connect: checkedConnect({ allowed: ['127.0.0.0/8'] }),
    credentials: login,
    allowBasic: false,
    pin: { sha256: undefined },
    usesHttp: false,
    replyTimeoutMs: 5000,
    signal: AbortSignal.timeout(60_000),
  }
  const talks = stack.use(
    openTalks({
      openLoudspeaker: () => openBackChannel(opening),
      startTalkDecoder: undefined,
      startTalkEncoder: encoder,
    }),
  )
  return { talks, camera }
}

/** The code of G.711 µ-law whose value is nearest. */
function toUlaw(value: number): number {
  let best = 0
  for (const [code, known] of g711Values.pcmu.entries())
    if (Math.abs(known - value) < Math.abs((g711Values.pcmu[best] ?? 0) - value)) best = code
  return best
}

/** What a decoder makes of what the camera was sent. */
function decode(camera: SimulatedCamera): Int16Array {
  const depacketize = depacketizeAac({ sizeLength: 13, indexLength: 3, indexDeltaLength: 3 })
  const frames = camera.loudspeaker.heard.flatMap(({ payload }) => depacketize?.(payload) ?? [])
  const config = { objectType: 2, sampleRate: RATE, channels: 1 }
  const input = Buffer.concat(frames.flatMap(({ bytes }) => [buildAdts(config, bytes) ?? Buffer.alloc(0), bytes]))
  const args = ['-v', 'error', '-f', 'aac', '-i', '-', '-f', 's16le', '-']
  const { stdout, stderr } = spawnSync(ffmpeg, args, { input })
  expect(String(stderr)).toBe('')
  return new Int16Array(Uint8Array.from(stdout).buffer)
}

/** By its rising zero crossings. */
function pitchOf(sound: Int16Array): number {
  let count = 0
  for (let at = 1; at < sound.length; at++) if ((sound[at - 1] ?? 0) < 0 && (sound[at] ?? 0) >= 0) count++
  return (count * RATE) / sound.length
}

test.skipIf(ffmpeg === '')(
  'a camera that takes AAC only hears 440 Hz while it is spoken, and all of it',
  async () => {
    const { talks, camera } = await startTalks((options) => startTalkEncoder({ ...options, ffmpeg }))
    expect(await talks.take({ ...TALK, step: 'open', coding: 'PCMU' })).toEqual({ kind: 'open' })
    const tone = Uint8Array.from({ length: SECONDS * 8000 }, (_, n) =>
      toUlaw(8000 * Math.sin((2 * Math.PI * HZ * n) / 8000)),
    )
    const began = performance.now()
    let isHeardMeanwhile = false
    for (let at = 0; at < tone.length; at += PACKET) {
      const answer = await talks.take({ ...TALK, step: 'sound', sound: tone.subarray(at, at + PACKET) })
      expect(answer).toEqual({ kind: 'open' })
      isHeardMeanwhile ||= camera.loudspeaker.heard.length > 0
      await sleep(Math.max(0, began + (at + PACKET) / 8 - performance.now()))
    }
    expect(isHeardMeanwhile).toBe(true)
    expect(await talks.take({ ...TALK, step: 'close' })).toEqual({ kind: 'ended' })
    await expect.poll(() => camera.openConnections).toBe(0)
    const sound = decode(camera)
    expect(Math.abs(sound.length / RATE - SECONDS)).toBeLessThan(0.3)
    const middle = sound.subarray(RATE / 2, 4.5 * RATE)
    expect(Math.abs(pitchOf(middle) - HZ)).toBeLessThan(3)
    expect(Math.max(...middle)).toBeGreaterThan(6000)
    const times = camera.loudspeaker.heard.map(({ timestamp }) => timestamp)
    const steps = times.slice(1).map((time, n) => (time - (times[n] ?? 0)) >>> 0)
    // A busy machine encodes late now and then: its pause is as long as whole frames.
    expect(steps.filter((step) => step % 1024 !== 0)).toEqual([])
    expect(steps.filter((step) => step === 1024).length).toBeGreaterThan(steps.length * 0.9)
  },
  30_000,
)

test('without an encoder, a camera that takes AAC only has no loudspeaker, and its connection closes', async () => {
  const { talks, camera } = await startTalks(undefined)
  expect(await talks.take({ ...TALK, step: 'open', coding: 'PCMU' })).toEqual({ kind: 'noLoudspeaker' })
  await expect.poll(() => camera.openConnections).toBe(0)
})
