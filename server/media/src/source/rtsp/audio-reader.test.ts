import { describe, expect, test } from 'vitest'
import { rtpBytes } from '../../codec/index.ts'
import type { AccessUnit } from '../../frame/index.ts'
import { AudioReader } from './audio-reader.ts'
import { depacketizeAac, wholePayload } from './depacketize-audio.ts'
import { parseRtp } from './rtp-packet.ts'
import { RunTimeline } from './run-timeline.ts'
import { newCounters } from './stream-counters.ts'

interface Sent {
  readonly sequence: number
  readonly timestamp: number
  readonly payload: Uint8Array
}

function receive(packets: readonly Sent[], depacketize = wholePayload, rate = 8000) {
  const counters = newCounters()
  const units: AccessUnit[] = []
  const run = new RunTimeline(counters, 0)
  const timeline = run.track('audio', rate)
  const reader = new AudioReader({ depacketize, timeline, counters, frame: (unit) => units.push(unit) })
  for (const { sequence, timestamp, payload } of packets) {
    const bytes = Buffer.from(rtpBytes({ payloadType: 8, sequence, timestamp, ssrc: 1, marker: false }, payload))
    const packet = parseRtp(bytes)
    if (packet !== undefined) reader.packet(packet, { wallClock: 1000, monotonic: 0 })
    // As the socket's buffer is used again.
    bytes.fill(0xee)
  }
  return { units, counters }
}

const contents = (units: readonly AccessUnit[]): string[] =>
  units.map((unit) => unit.units.map((piece) => Buffer.from(piece).toString('hex')).join())

describe('sound', () => {
  test('keeps its bytes after the socket reuses its buffer, and its time is exact', () => {
    const packets = [0, 1, 2].map((number) => ({
      sequence: number,
      timestamp: number * 160,
      payload: Uint8Array.of(number, 7),
    }))
    const { units } = receive(packets)
    expect(contents(units)).toEqual(['0007', '0107', '0207'])
    expect(units.map((unit) => unit.time)).toEqual([0, 1800, 3600])
  })

  test('loses only what was in a lost packet', () => {
    const packets = [0, 1, 4].map((number) => ({
      sequence: number,
      timestamp: number * 160,
      payload: Uint8Array.of(number),
    }))
    const { units, counters } = receive(packets)
    expect(units.map((unit) => unit.time)).toEqual([0, 1800, 7200])
    expect(counters.lostPackets).toBe(2)
  })

  test("of several AAC frames in a packet has a frame's time between them, even if a frame was fragmented", () => {
    const aac = depacketizeAac({ sizeLength: 13, indexLength: 3, indexDeltaLength: 3 })
    if (aac === undefined) throw new Error('AAC is not known')
    const packets = ['002000100008aabbcc', '00100030aabb', '00100030ccdd', '00100030eeff'].map((hex, number) => ({
      sequence: number,
      timestamp: number === 0 ? 0 : 2048,
      payload: Buffer.from(hex, 'hex'),
    }))
    const { units } = receive(packets, aac, 16_000)
    expect(contents(units)).toEqual(['aabb', 'cc', 'aabbccddeeff'])
    expect(units.map((unit) => unit.time)).toEqual([0, 5760, 11_520])
  })
})
