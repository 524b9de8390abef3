import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { footage, play } from '../../../../tests/fixtures/footage.ts'
import { packetizeH264, rtpBytes } from '../codec/index.ts'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import { h264Format } from '../source/rtsp/parameter-sets.ts'
import { parseRtp } from '../source/rtsp/rtp-packet.ts'
import { RunTimeline } from '../source/rtsp/run-timeline.ts'
import { newCounters } from '../source/rtsp/stream-counters.ts'
import { VideoReader } from '../source/rtsp/video-reader.ts'
import { filesBelow, removeTemporaryFolders, stage, TEN_THIRTY } from './recording-stage.ts'
import { scanSegment } from './segment-scan.ts'

afterAll(removeTemporaryFolders)

const clip = () => footage('main.h264')
const tracks: readonly TrackConfig[] = [clip().track]
const PICTURE_MS = 40

/** The pictures of a camera of which a share of the packets is lost, the same ones each time. */
function picturesWithLoss(seconds: number, share: number): readonly AccessUnit[] {
  const units: AccessUnit[] = []
  const counters = newCounters()
  const timeline = new RunTimeline(counters, 0).track('video', 90_000)
  const reader = new VideoReader({
    format: h264Format,
    parameterSets: [],
    timeline,
    counters,
    picture: (unit) => units.push(unit),
  })
  let sequence = 0
  let random = 1
  for (const { unit } of play([clip()], { seconds, wallClock: 0 })) {
    const ms = unit.time / 90
    for (const { payload, marker } of packetizeH264(unit.units, 150)) {
      random = (random * 48_271) % 0x7f_ff_ff_ff
      const bytes = rtpBytes({ payloadType: 96, sequence: sequence++, timestamp: unit.time, ssrc: 1, marker }, payload)
      const packet = parseRtp(bytes)
      if (random / 0x7f_ff_ff_ff >= share && packet !== undefined)
        reader.packet(packet, { wallClock: TEN_THIRTY + ms, monotonic: ms })
    }
  }
  return units
}

/** Where pictures are further apart than this, as `[end of the one before, start of the next]`. */
const holes = (units: readonly AccessUnit[], longerThanMs: number) =>
  units.slice(1).flatMap((unit, index) => {
    const before = units[index]?.wallClock ?? 0
    return unit.wallClock - before > longerThanMs ? [[before + PICTURE_MS, unit.wallClock] as const] : []
  })

describe('a gap is reported', () => {
  test('for each stretch of more than two seconds without a picture, when packets are lost', async () => {
    const units = picturesWithLoss(120, 0.02)
    const missing = holes(units, 2000)
    expect(missing.length).toBeGreaterThan(5)
    const set = await stage()
    set.show(
      tracks,
      units.map((unit) => ({ track: 0, unit })),
    )
    await set.stop()
    const told = set.runs.ended
    expect(told.slice(1).map(([start], index) => [told[index]?.[1], start])).toEqual(missing)
    expect(new Set(told.slice(0, -1).map(([, , why]) => why))).toEqual(new Set(['network']))
    // The files say the same: each begins with a key picture and has nothing missing inside.
    const found = await Promise.all((await filesBelow(set.store)).map((path) => scanSegment(path)))
    const pictures = found.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.pictures, 0)
    expect(pictures).toBe(units.length)
    expect(found.every(({ parts }) => parts[0]?.isKey)).toBe(true)
    expect(new Set(found.map(({ head }) => head.header.runId)).size).toBe(missing.length + 1)
  })

  /** Six seconds of pictures, of which those between two times are missing. */
  const paused = (fromMs: number, untilMs: number) =>
    [...play([clip()], { seconds: 6, wallClock: TEN_THIRTY })].filter(
      ({ unit }) => unit.wallClock < TEN_THIRTY + fromMs || unit.wallClock >= TEN_THIRTY + untilMs,
    )

  test('when the camera paused before a key picture: another run', async () => {
    const set = await stage()
    set.show(tracks, paused(1000, 4000))
    await set.stop()
    expect(set.runs.ended).toEqual([
      [TEN_THIRTY, TEN_THIRTY + 1000, 'cameraOffline'],
      [TEN_THIRTY + 4000, TEN_THIRTY + 6000, 'stopped'],
    ])
  })

  test('when the camera paused and continued with a picture that depends on others: no picture is given up', async () => {
    const units = paused(1000, 3400)
    const set = await stage()
    set.show(tracks, units)
    await set.stop()
    expect(set.runs.ended).toEqual([
      [TEN_THIRTY, TEN_THIRTY + 1000, 'cameraOffline'],
      [TEN_THIRTY + 3400, TEN_THIRTY + 6000, 'stopped'],
    ])
    const [file = ''] = await filesBelow(set.store)
    const { parts } = await scanSegment(file)
    expect(parts.reduce((sum, part) => sum + part.pictures, 0)).toBe(units.length)
    expect(parts.every((part) => part.duration <= 90_000)).toBe(true)
  })

  test('when sound continues without a picture', async () => {
    const clips = [clip(), footage('tone16.aac')]
    const set = await stage()
    const units = [...play(clips, { seconds: 6, wallClock: TEN_THIRTY })]
    const isMissing = ({ unit }: (typeof units)[number]) =>
      unit.kind === 'video' && unit.wallClock >= TEN_THIRTY + 1000 && unit.wallClock < TEN_THIRTY + 4000
    const shown = units.filter((one) => !isMissing(one))
    const from = shown.findIndex(({ unit }) => unit.wallClock >= TEN_THIRTY + 4000)
    set.show(
      clips.map(({ track }) => track),
      shown.slice(0, from),
    )
    // Long enough for a part to be written without a picture in it.
    await sleep(1200)
    for (const { track, unit } of shown.slice(from)) set.hub.publish({ kind: 'unit', track, unit })
    await set.stop()
    expect(set.runs.ended.map(([, , why]) => why)).toEqual(['cameraOffline', 'stopped'])
    expect(set.runs.ended[0]?.[1]).toBeLessThan(TEN_THIRTY + 2100)
    expect(set.runs.ended[1]?.[0]).toBe(TEN_THIRTY + 4000)
  })

  test('but not for a camera that is slow', async () => {
    const units = [...play([clip()], { seconds: 4, wallClock: 0 })].map(({ track, unit }, index) => ({
      track,
      unit: { ...unit, time: index * 135_000, wallClock: TEN_THIRTY + index * 1500 },
    }))
    const set = await stage()
    set.show(tracks, units)
    await set.stop()
    expect(set.runs.ended.length).toBe(1)
  })
})

test("another run begins at the next key picture after the camera's clock jumped, with nothing missing", async () => {
  const units = [...play([clip()], { seconds: 6, wallClock: TEN_THIRTY })].map(({ track, unit }, index) =>
    index === 60 ? { track, unit: { ...unit, followsJump: true as const } } : { track, unit },
  )
  const set = await stage()
  set.show(tracks, units)
  await set.stop()
  const [first, second] = set.runs.ended
  expect([first?.[2], second?.[2]]).toEqual(['clock', 'stopped'])
  expect(second?.[0]).toBe(first?.[1])
  expect((second?.[0] ?? 0) - TEN_THIRTY).toBe(
    units.findIndex(({ unit }, index) => index >= 60 && unit.isKey) * PICTURE_MS,
  )
})
