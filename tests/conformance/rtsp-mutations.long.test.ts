/** R15: ten million changed bytes in RTSP streams cause neither a crash nor a time that goes back. Takes half a minute. */
import { expect, test } from 'vitest'
import { packetizeH264, packetizeH265, rtpBytes } from '../../server/media/src/codec/index.ts'
import { h264Format, h265Format } from '../../server/media/src/source/rtsp/parameter-sets.ts'
import { parseRtp, parseSenderReport } from '../../server/media/src/source/rtsp/rtp-packet.ts'
import { RtspFraming } from '../../server/media/src/source/rtsp/rtsp-framing.ts'
import { RunTimeline } from '../../server/media/src/source/rtsp/run-timeline.ts'
import { newCounters } from '../../server/media/src/source/rtsp/stream-counters.ts'
import { VideoReader } from '../../server/media/src/source/rtsp/video-reader.ts'
import { type Clip, footage } from '../fixtures/footage.ts'

const MUTATIONS = 10_000_000
const PICTURES = 12

/** Mulberry32: the same sequence on every machine. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}

/** A clip's first pictures as interleaved packets, and each packet's start. */
function wire(clip: Clip, packetize: typeof packetizeH264): { bytes: Buffer; starts: readonly number[] } {
  const packets = footage(clip)
    .frames.slice(0, PICTURES)
    .flatMap(({ units }, picture) => packetize(units).map((packet) => ({ ...packet, timestamp: picture * 3600 })))
    .map(({ payload, marker, timestamp }, sequence) => {
      const packet = rtpBytes({ payloadType: 96, sequence, timestamp, ssrc: 1, marker }, payload)
      return Buffer.concat([Uint8Array.of(0x24, 0, packet.length >> 8, packet.length & 0xff), packet])
    })
  let at = 0
  const starts = packets.map((packet) => {
    at += packet.length
    return at - packet.length
  })
  return { bytes: Buffer.concat(packets), starts }
}

test('ten million changed bytes cause no crash and no time that goes back', () => {
  const roll = dice(12_345)
  const kinds = [
    { ...wire('main.h264', packetizeH264), format: h264Format },
    { ...wire('h265.hevc', packetizeH265), format: h265Format },
  ]
  let pictures = 0
  let lost = 0
  for (let mutations = 0; mutations < MUTATIONS; ) {
    const kind = kinds[roll(kinds.length)]
    if (kind === undefined) continue
    const bytes = Buffer.from(kind.bytes)
    const count = 1 + roll(60)
    mutations += count
    for (let i = 0; i < count; i++) {
      // Three quarters at the start of a packet, in the headers; the others anywhere.
      const start = (kind.starts[roll(kind.starts.length)] ?? 0) + 4 + roll(24)
      bytes[roll(4) === 0 ? roll(bytes.length) : start % bytes.length] = roll(256)
    }
    let last = -1
    const counters = newCounters()
    const reader = new VideoReader({
      format: kind.format,
      parameterSets: [],
      timeline: new RunTimeline(counters, 0).track('video', 90_000),
      counters,
      picture: ({ time }) => {
        pictures++
        if (time <= last) throw new Error(`picture at ${time} after one at ${last}`)
        last = time
      },
    })
    const framing = new RtspFraming({
      packet: (_, packet) => {
        parseSenderReport(packet)
        const rtp = parseRtp(packet)
        if (rtp !== undefined) reader.packet(rtp, { wallClock: 0, monotonic: 0 })
      },
      message: () => undefined,
    })
    for (let at = 0, size = 0; at < bytes.length; at += size) {
      size = 1 + roll(3000)
      if (framing.feed(bytes.subarray(at, at + size)) === undefined) continue
      lost++
      break
    }
  }
  // Enough streams that survived their changes, and enough that did not.
  expect(pictures).toBeGreaterThan(10_000)
  expect(lost).toBeGreaterThan(10_000)
}, 600_000)
