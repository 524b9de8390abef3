import { afterAll, expect, test } from 'vitest'
import { footage } from '../../../../tests/fixtures/footage.ts'
import type { AccessUnit } from '../frame/index.ts'
import { openPlayback } from '../playback/index.ts'
import { NalWriter } from '../source/rtsp/nal-writer.ts'
import { keysInFiles } from './footage-keys.ts'
import { CAMERA, newDayKeys, removeTemporaryFolders, type Stage, stage, TEN_THIRTY } from './recording-stage.ts'

afterAll(removeTemporaryFolders)

const KEK = new Uint8Array(32)
const SECONDS = 30
const PICTURES = 25 * SECONDS
const GOP = 50

/** Sizes as of a camera of 2 Mbit/s; each picture has other bytes, in one or several units. */
const sentUnits = (number: number): readonly Buffer[] =>
  Array.from({ length: 1 + (number % 3) }, (_, unit) =>
    Buffer.alloc((number % GOP === 0 ? 60_000 : 8000) + number, `${number}.${unit} `),
  )

/** A picture in memory that is written to again. */
function pictureOf(writer: NalWriter, number: number): AccessUnit {
  for (const unit of sentUnits(number)) writer.whole(unit)
  const memory = writer.memory ?? []
  const [time, wallClock] = [number * 3600, TEN_THIRTY + number * 40]
  return { kind: 'video', time, wallClock, isKey: number % GOP === 0, units: writer.take(), memory }
}

const textOf = (units: readonly Uint8Array[]): string => Buffer.concat(units).toString('base64')

/** Gives the recorder its turn, so that it writes while pictures come. */
async function play(set: Stage, meanwhile: (number: number) => void): Promise<void> {
  const writer = new NalWriter(true)
  const { track } = footage('high.h264')
  set.hub.publish({ kind: 'tracks', tracks: [track] })
  for (let number = 0; number < PICTURES; number++) {
    set.hub.publish({ kind: 'unit', track: 0, unit: pictureOf(writer, number) })
    meanwhile(number)
    if (number % 5 === 0) await new Promise((next) => setImmediate(next))
  }
}

async function recordedIn(store: string): Promise<readonly string[]> {
  const texts: string[] = []
  for await (const message of openPlayback({ store, stream: CAMERA, at: 0, keys: keysInFiles(KEK) }))
    if (message.kind === 'part') texts.push(...message.samples.map(({ unit }) => textOf(unit.units)))
  return texts
}

const sent = (from: number, till = PICTURES): readonly string[] =>
  Array.from({ length: till - from }, (_, index) => textOf(sentUnits(from + index)))

test.for([
  ['encrypted', newDayKeys(KEK)],
  ['plain', undefined],
] as const)('what is recorded from memory that is written to again is what the camera sent: %s', async ([, dayKey]) => {
  const set = await stage(dayKey === undefined ? {} : { dayKey })
  await play(set, () => undefined)
  await set.stop()
  expect(await recordedIn(set.store)).toEqual(sent(0))
})

test('viewers who read late, and who took a key picture, have what the camera sent', async () => {
  const set = await stage({ dayKey: newDayKeys(KEK) })
  const joinedAt = 8 * GOP + 20
  const reader: { of?: ReturnType<Stage['hub']['join']> } = {}
  const keyPictures: { readonly number: number; readonly unit: AccessUnit | undefined }[] = []
  await play(set, (number) => {
    if (number === joinedAt) reader.of = set.hub.join({ start: 'running-gop', maxQueuedBytes: 1e9 })
    // Some while no viewer is there, whose presence keeps all memory as it is.
    if (number % 130 === 60)
      keyPictures.push({ number: number - (number % GOP), unit: set.hub.latestKeyPicture()?.unit })
  })
  await set.stop()
  const seen: string[] = []
  for (let message = reader.of?.take(); message !== undefined; message = reader.of?.take())
    if (message.kind === 'unit') seen.push(textOf(message.unit.units))
  expect(seen).toEqual(sent(8 * GOP))
  for (const { number, unit } of keyPictures) expect(textOf(unit?.units ?? [])).toBe(textOf(sentUnits(number)))
  expect(await recordedIn(set.store)).toEqual(sent(0))
})
