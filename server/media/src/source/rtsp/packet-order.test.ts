import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rtpBytes } from '../../codec/index.ts'
import { PacketOrder } from './packet-order.ts'
import { uint16 } from './rtp-packet.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Sends packets at their times and returns the order in which they were passed on. */
function passed(packets: readonly (readonly [sequence: number, atMs: number])[]): readonly number[] {
  const order: number[] = []
  using window = new PacketOrder((bytes) => order.push(uint16(bytes, 2)))
  let now = 0
  for (const [sequence, atMs] of packets) {
    vi.advanceTimersByTime(atMs - now)
    now = atMs
    const bytes = rtpBytes({ payloadType: 96, sequence, timestamp: 0, ssrc: 1, marker: false }, Buffer.of(1))
    window.take(bytes, { wallClock: Date.now(), monotonic: performance.now() })
  }
  vi.advanceTimersByTime(1000)
  return order
}

/** The first packet waits for those before it. */
const BEGUN = 100

test('a packet that is late by less than 50 ms gets its place, however many were late just before', () => {
  const late = Array.from({ length: 50 }, (_, pair): [number, number][] => [
    [2 * pair + 2, BEGUN + 20 * pair],
    [2 * pair + 1, BEGUN + 20 * pair + 19],
  ])
  expect(passed([[0, 0], ...late.flat()])).toEqual(Array.from({ length: 101 }, (_, sequence) => sequence))
})

test('a missing packet is waited for until the first one behind it is 50 ms old', () => {
  const behind = Array.from({ length: 6 }, (_, step) => [step + 2, BEGUN + 9 * step] as const)
  expect(passed([[0, 0], ...behind, [1, BEGUN + 48]])).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(passed([[0, 0], ...behind, [1, BEGUN + 52]])).toEqual([0, 2, 3, 4, 5, 6, 7, 1])
})

test('the time of another missing packet doesn’t begin with the one before', () => {
  expect(
    passed([
      [0, 0],
      [2, BEGUN],
      [4, BEGUN + 40],
      [3, BEGUN + 80],
    ]),
  ).toEqual([0, 2, 3, 4])
})

test('what is repeated while it waits is passed on once', () => {
  expect(
    passed([
      [0, 0],
      [2, BEGUN],
      [2, BEGUN + 1],
      [1, BEGUN + 2],
    ]),
  ).toEqual([0, 1, 2])
})

test('a late packet in the burst of a large key picture gets its place', () => {
  const burst = Array.from({ length: 300 }, (_, behind) => [behind + 2, BEGUN] as const)
  expect(passed([[0, 0], ...burst, [1, BEGUN + 20]])).toEqual(Array.from({ length: 302 }, (_, sequence) => sequence))
})
