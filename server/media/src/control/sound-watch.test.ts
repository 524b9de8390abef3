import { createSemaphore } from '@sightline/platform/limits'
import { silentLogger } from '@sightline/platform/log'
import { expect, test } from 'vitest'
import type { TrackConfig } from '../frame/index.ts'
import { createHub } from '../hub/index.ts'
import { EventTriggers } from '../recording/index.ts'
import type { SoundDecoding } from './decoded-sound.ts'
import { Detections } from './detections.ts'
import { RecordingSwitch } from './recording-switch.ts'
import { watchSound } from './sound-watch.ts'

const video: TrackConfig = {
  kind: 'video',
  codec: 'h264',
  codecString: 'avc1.42c01e',
  width: 640,
  height: 360,
  parameterSets: [],
}
const sound = (codec: 'pcmu' | 'opus'): TrackConfig => ({
  kind: 'audio',
  codec,
  codecString: codec === 'pcmu' ? 'ulaw' : 'opus',
  sampleRate: 8000,
  channels: 1,
  config: new Uint8Array(0),
})
const settings = (enabled: boolean) => ({
  video: { enabled: true, sensitivity: 50, areas: [] },
  audio: { enabled, sensitivity: 50 },
  pir: { enabled: false, inputs: [] },
})
const loud = new Uint8Array(1600).map((_, index) => (index % 2 === 0 ? 0x80 : 0x00))
const armed = { mode: 'armed', recordingMode: 'continuous', recordingSpans: [], timeZone: 'UTC' } as const

/** A camera whose sound is watched, one fifth of a second for each call of `play`. */
function listening(decoding?: SoundDecoding) {
  const hub = createHub()
  const recording = new RecordingSwitch(armed, Date.now)
  const noted: string[] = []
  const detections = new Detections({
    camera: { accountId: 1, cameraId: 2 },
    triggers: new EventTriggers(),
    settings: settings(true),
    serverDetects: false,
    note: ({ type, change, detectedBy }) => noted.push(`${type} ${change} ${detectedBy}`),
  })
  const bugs: unknown[] = []
  const watch = watchSound({ hub, recording, detections, decoding, onBug: (err) => bugs.push(err) })
  let at = 0
  const play = async (samples: Uint8Array) => {
    const unit = { kind: 'audio', time: at * 90, wallClock: at, isKey: true, units: [samples] } as const
    hub.publish({ kind: 'unit', unit, track: 1 })
    at += 200
    await new Promise(setImmediate)
  }
  const start = async (codec: 'pcmu' | 'opus') => {
    hub.publish({ kind: 'tracks', tracks: [video, sound(codec)] })
    const key = { kind: 'video', time: 0, wallClock: 0, isKey: true, units: [new Uint8Array(9)] } as const
    hub.publish({ kind: 'unit', unit: key, track: 0 })
    await new Promise(setImmediate)
  }
  const stop = async () => {
    await watch[Symbol.asyncDispose]()
    recording[Symbol.dispose]()
    hub[Symbol.dispose]()
    expect(bugs).toEqual([])
  }
  return { detections, recording, noted, play, start, stop, hub }
}

test('a loud sound is one event, which ends when the camera is lost', async () => {
  const { noted, play, start, stop, hub } = listening()
  await start('pcmu')
  for (let count = 0; count < 5; count++) await play(loud)
  expect(noted).toEqual(['audio begins server'])
  hub.publish({ kind: 'ended', cause: 'closed' })
  await new Promise(setImmediate)
  expect(noted).toEqual(['audio begins server', 'audio ends server'])
  await stop()
})

test('turned off, nothing is heard; turned on again, it is', async () => {
  const { detections, noted, play, start, stop } = listening()
  await start('pcmu')
  detections.plan(settings(false), 0)
  for (let count = 0; count < 5; count++) await play(loud)
  expect(noted).toEqual([])
  detections.plan(settings(true), 0)
  await new Promise(setImmediate)
  for (let count = 0; count < 5; count++) await play(loud)
  expect(noted).toEqual(['audio begins server'])
  await stop()
})

test('a disarmed camera isn’t listened to, and a sound that is going on ends', async () => {
  const { recording, noted, play, start, stop } = listening()
  await start('pcmu')
  for (let count = 0; count < 5; count++) await play(loud)
  recording.set({ ...armed, mode: 'disarmed' })
  await new Promise(setImmediate)
  await play(loud)
  expect(noted).toEqual(['audio begins server', 'audio ends server'])
  await stop()
})

test('sound that isn’t G.711 is left alone without a decoder', async () => {
  const { noted, play, start, stop } = listening()
  await start('opus')
  for (let count = 0; count < 5; count++) await play(loud)
  expect(noted).toEqual([])
  await stop()
})

/** A decoder whose sound is what it is given. */
function decoding(places: number) {
  const running = new Set<number>()
  let started = 0
  const given: SoundDecoding = {
    cameraId: 2,
    places: createSemaphore({ overall: { concurrency: places } }),
    log: silentLogger,
    startDecoder({ onSound }) {
      const id = ++started
      running.add(id)
      const ended = Promise.withResolvers<string>()
      return {
        push({ wallClock, units }) {
          for (const samples of units) onSound(wallClock, samples)
        },
        ended: ended.promise,
        [Symbol.dispose]() {
          running.delete(id)
          ended.resolve('')
        },
      }
    },
  }
  return { given, running, started: () => started }
}

test('with a decoder, sound that isn’t G.711 is listened to, and its process ends with the stream', async () => {
  const { given, running } = decoding(1)
  const { noted, play, start, stop, hub } = listening(given)
  await start('opus')
  for (let count = 0; count < 5; count++) await play(loud)
  expect(noted).toEqual(['audio begins server'])
  expect(running.size).toBe(1)
  hub.publish({ kind: 'ended', cause: 'closed' })
  await new Promise(setImmediate)
  expect(noted).toEqual(['audio begins server', 'audio ends server'])
  expect(running.size).toBe(0)
  await stop()
})

test('without a place for it, a camera isn’t listened to', async () => {
  const { given, started } = decoding(0)
  const { noted, play, start, stop } = listening(given)
  await start('opus')
  for (let count = 0; count < 5; count++) await play(loud)
  expect([noted, started()]).toEqual([[], 0])
  await stop()
})
