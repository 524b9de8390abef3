import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { footage } from '../../../../../tests/fixtures/footage.ts'
import { packetizeH264, packetizeH265, rtpBytes, type SentPacket } from '../../codec/index.ts'
import { type AccessUnit, getPresentationTime, type TrackConfig } from '../../frame/index.ts'
import { h264Format, h265Format, type VideoFormat } from './parameter-sets.ts'
import { parseRtp } from './rtp-packet.ts'
import { RunTimeline } from './run-timeline.ts'
import { newCounters } from './stream-counters.ts'
import { VideoReader } from './video-reader.ts'

interface Sent extends SentPacket {
  readonly timestamp: number
  readonly sequence: number
  readonly ssrc: number
}

const clips = {
  h264: { clip: footage('main.h264'), packetize: packetizeH264, format: h264Format },
  h265: { clip: footage('h265.hevc'), packetize: packetizeH265, format: h265Format },
} as const

/** All pictures of the clip, 40 ms apart, as packets. */
function packetsOf(
  name: keyof typeof clips,
  { maxPayload = 1400, timestamp = 1000, sequence = 65_500, ssrc = 7 } = {},
): Sent[] {
  const { clip, packetize } = clips[name]
  let next = sequence
  return clip.frames.flatMap((frame, number) =>
    packetize(frame.units, maxPayload).map((packet) => ({
      ...packet,
      timestamp: (timestamp + number * 3600) >>> 0,
      sequence: next++ & 0xff_ff,
      ssrc,
    })),
  )
}

function receive(
  packets: readonly Sent[],
  format: VideoFormat = h264Format,
  parameterSets: readonly Uint8Array[] = [],
) {
  const counters = newCounters()
  const units: AccessUnit[] = []
  const tracks: TrackConfig[] = []
  const timeline = new RunTimeline(counters, 0).track('video', 90_000)
  const reader = new VideoReader({
    format,
    parameterSets,
    timeline,
    counters,
    picture: (unit, track, changed) => {
      if (changed) tracks.push(track)
      units.push(unit)
    },
  })
  for (const [index, sent] of packets.entries()) {
    // Through bytes that are overwritten afterwards, as the socket's buffer is.
    const bytes = rtpBytes({ payloadType: 96, ...sent }, sent.payload)
    const packet = parseRtp(bytes)
    if (packet !== undefined) reader.packet(packet, { wallClock: 5000 + index, monotonic: index })
    bytes.fill(0xee)
  }
  return { units, tracks, counters }
}

const contents = (units: readonly AccessUnit[]): string[] =>
  units.map((unit) => unit.units.map((nal) => Buffer.from(nal).toString('hex')).join(' '))

const sentContents = (name: keyof typeof clips): string[] =>
  clips[name].clip.frames.map((frame) => frame.units.map((nal) => Buffer.from(nal).toString('hex')).join(' '))

test.each([
  ['announced', 1],
  ['not announced', undefined],
] as const)('reordered pictures, %s, keep their presentation times and are counted', (_, depth) => {
  // No code checks which pictures are B pictures; the timestamps define the order.
  const order = [0, 3, 1, 2, 6, 4, 5, 9, 7, 8]
  const packets = packetsOf('h264').map((packet) => {
    const number = (packet.timestamp - 1000) / 3600
    const place = Math.floor(number / order.length) * order.length + (order[number % order.length] ?? 0)
    return { ...packet, timestamp: 1000 + place * 3600 }
  })
  const { units, counters } = receive(packets, { ...h264Format, reorderDepth: () => depth })
  const shown = units.map((unit) => getPresentationTime(unit) - getPresentationTime(units[0] as AccessUnit))
  expect(shown.slice(0, 10)).toEqual(order.map((number) => number * 3600))
  expect(shown.toSorted((a, b) => a - b)).toEqual(units.map((_, number) => number * 3600))
  expect(counters).toMatchObject({ reorderedPictures: Math.floor(units.length / 10) * 6, clockJumps: 0 })
  for (const [number, unit] of units.entries()) {
    if (number > 0) expect(unit.time).toBeGreaterThan(units[number - 1]?.time ?? 0)
  }
})

describe.each(['h264', 'h265'] as const)('%s', (name) => {
  const { clip, format } = clips[name]
  const count = clip.frames.length

  test('pictures are returned byte for byte as the camera sent them, as soon as the marker is trusted', () => {
    const { units, tracks, counters } = receive(packetsOf(name), format)
    expect(contents(units)).toEqual(sentContents(name).slice(0, units.length))
    expect(units.length).toBe(count)
    expect(units.map((unit) => unit.isKey)).toEqual(clip.frames.map((frame) => frame.isKey))
    expect(units.map((unit) => unit.time)).toEqual(clip.frames.map((_, number) => number * 3600))
    expect(tracks).toEqual([clip.track])
    expect(counters).toMatchObject({ lostPackets: 0, badPackets: 0, droppedPictures: 0 })
  })

  test('a marker on every packet is detected and loses no picture', () => {
    const packets = packetsOf(name, { maxPayload: 500 }).map((packet) => ({ ...packet, marker: true }))
    const { units, counters } = receive(packets, format)
    // The last picture has no successor that would end it.
    expect(contents(units)).toEqual(sentContents(name).slice(0, count - 1))
    expect(counters.droppedPictures).toBe(0)
  })

  test('a missing marker delays pictures by one and changes nothing else', () => {
    const packets = packetsOf(name).map((packet) => ({ ...packet, marker: false }))
    expect(contents(receive(packets, format).units)).toEqual(sentContents(name).slice(0, count - 1))
  })

  test('after any packet loss only whole pictures are returned, and the next is a key picture', () => {
    const all = packetsOf(name, { maxPayload: 700 })
    const sent = sentContents(name)
    fc.assert(
      fc.property(fc.array(fc.nat({ max: all.length - 1 }), { minLength: 1, maxLength: 12 }), (lost) => {
        const gone = new Set(lost)
        const { units, counters } = receive(
          all.filter((_, index) => !gone.has(index)),
          format,
        )
        let expected = -1
        for (const [index, content] of contents(units).entries()) {
          const number = sent.indexOf(content, Math.max(0, expected))
          const unit = units[index]
          // A picture may have lost only what belongs to no slice, which then is no longer byte for byte the same.
          if (number < 0) {
            expect(unit?.isKey).toBe(true)
            expected = Math.round((unit?.time ?? 0) / 3600) + 1
            continue
          }
          if (number !== expected) expect(unit?.isKey).toBe(true)
          expected = number + 1
        }
        expect(counters.lostPackets).toBeLessThanOrEqual(gone.size)
      }),
      { numRuns: 200, seed: 1 },
    )
  })

  test('changed bytes cause nothing worse than wrong pictures', () => {
    const all = packetsOf(name, { maxPayload: 700 }).slice(0, 120)
    const change = fc.record({
      packet: fc.nat({ max: all.length - 1 }),
      at: fc.nat({ max: 20 }),
      value: fc.integer({ min: 0, max: 255 }),
    })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 10 }), (changes) => {
        const packets = all.map((packet) => ({ ...packet }))
        for (const { packet, at, value } of changes) {
          const changed = packets[packet]
          if (changed !== undefined && changed.payload.length > 0) {
            packets[packet] = {
              ...changed,
              payload: Uint8Array.from(changed.payload).with(at % changed.payload.length, value),
            }
          }
        }
        const { units } = receive(packets, format)
        expect(units.length).toBeLessThanOrEqual(count)
        for (const [index, unit] of units.entries())
          expect(unit.time).toBeGreaterThanOrEqual(units[index - 1]?.time ?? 0)
      }),
      { numRuns: 300, seed: 1 },
    )
  })
})

describe('the beginning and changes', () => {
  test('pictures before the first key picture are left out and not counted as a loss', () => {
    const packets = packetsOf('h264')
    const first = packets.find((packet) => packet.timestamp > 1000)
    const { units, counters } = receive(
      packets.filter((packet) => packet !== packets[0] && packet.timestamp >= (first?.timestamp ?? 0)),
    )
    expect(units[0]?.isKey).toBe(true)
    expect(counters.droppedPictures).toBe(0)
  })

  test('parameter sets that come only in the session description are enough', () => {
    const { clip } = clips.h264
    if (clip.track.kind !== 'video') throw new Error('no video')
    const withoutSets = clip.frames.map((frame) => frame.units.filter((nal) => h264Format.setKind(nal) === undefined))
    let sequence = 0
    const packets = withoutSets.flatMap((units, number) =>
      packetizeH264(units).map((packet) => ({ ...packet, timestamp: number * 3600, sequence: sequence++, ssrc: 1 })),
    )
    expect(receive(packets).units).toEqual([])
    const { units, tracks } = receive(packets, h264Format, clip.track.parameterSets)
    expect(units.length).toBe(clip.frames.length)
    expect(tracks).toEqual([clip.track])
  })

  test('new parameter sets in the stream announce another track, with a key picture', () => {
    const other = footage('high.h264')
    let sequence = 0
    const frames = [...clips.h264.clip.frames, ...other.frames, ...clips.h264.clip.frames]
    const packets = frames.flatMap((frame, number) =>
      packetizeH264(frame.units).map((packet) => ({
        ...packet,
        timestamp: number * 3600,
        sequence: sequence++,
        ssrc: 1,
      })),
    )
    const { tracks, units } = receive(packets)
    expect(tracks).toEqual([clips.h264.clip.track, other.track, clips.h264.clip.track])
    expect(units.length).toBe(frames.length)
  })

  test('a camera restart within the connection continues in the same run, later', () => {
    const before = packetsOf('h264').slice(0, 200)
    const after = packetsOf('h264', { timestamp: 3_000_000_000, sequence: 17, ssrc: 8 })
    const { units, counters } = receive([...before, ...after])
    expect(units.length).toBeGreaterThan(clips.h264.clip.frames.length)
    for (const [index, unit] of units.entries()) expect(unit.time).toBeGreaterThan(units[index - 1]?.time ?? -1)
    expect(counters.lostPackets).toBe(0)
    expect(Math.max(...units.map((unit) => unit.time))).toBeLessThanOrEqual(units.length * 3600)
  })

  test('a picture has the wall clock of its first packet', () => {
    const { units } = receive(packetsOf('h264'))
    expect(units[0]?.wallClock).toBe(5000)
  })
})
