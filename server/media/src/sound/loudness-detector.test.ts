import { describe, expect, test } from 'vitest'
import type { G711Codec } from './g711.ts'
import { LoudnessDetector, type LoudnessTransition } from './loudness-detector.ts'

const NOON = Date.UTC(2026, 0, 1, 12)
const PACKET_MS = 20
const RATE = 8000

/** ITU-T G.711, coded by comparing with each of the 128 magnitudes of its decoder's table. */
const magnitudes = {
  pcmu: (bits: number) => ((((bits & 15) * 2 + 33) << (bits >> 4)) - 33) * 4,
  pcma: (bits: number) => (bits >> 4 === 0 ? (bits & 15) * 2 + 1 : ((bits & 15) * 2 + 33) << ((bits >> 4) - 1)) * 8,
}
function encode(codec: G711Codec, value: number): number {
  const magnitude = Math.abs(value) * 32_768
  let best = 0
  for (let bits = 1; bits < 128; bits++)
    if (Math.abs(magnitudes[codec](bits) - magnitude) < Math.abs(magnitudes[codec](best) - magnitude)) best = bits
  const isNegative = value < 0
  return codec === 'pcmu' ? ~(best | (isNegative ? 0x80 : 0)) & 0xff : (best | (isNegative ? 0 : 0x80)) ^ 0x55
}

/** Root mean square of a sine, in decibels of full scale, second by second. */
type Levels = (second: number) => number

function hear(
  codec: G711Codec,
  { seconds, sensitivity, levels }: { seconds: number; sensitivity: number; levels: Levels },
) {
  const detector = new LoudnessDetector(codec)
  const found: (readonly [LoudnessTransition['kind'], number])[] = []
  const cache = new Map<number, number>()
  for (let ms = 0; ms < seconds * 1000; ms += PACKET_MS) {
    const amplitude = Math.SQRT2 * 10 ** (levels(ms / 1000) / 20)
    const samples = Uint8Array.from({ length: (RATE * PACKET_MS) / 1000 }, (_, index) => {
      const value = Math.round(amplitude * Math.sin((2 * Math.PI * 440 * index) / RATE) * 4096) / 4096
      const known = cache.get(value) ?? encode(codec, value)
      cache.set(value, known)
      return known
    })
    const change = detector.add(NOON + ms, samples, sensitivity)
    if (change !== undefined) found.push([change.kind, (change.at - NOON) / 1000])
  }
  return found
}

/** Loud from second 5 to 8. */
const alarm =
  (level: number): Levels =>
  (second) =>
    second >= 5 && second < 8 ? level : -70

describe.each(['pcmu', 'pcma'] as const)('a loud sound in %s', (codec) => {
  test('is found from its first to its last moment', () => {
    expect(hear(codec, { seconds: 20, sensitivity: 50, levels: alarm(-20) })).toEqual([
      ['begins', expect.closeTo(5, 0)],
      ['ends', expect.closeTo(7.8, 0)],
    ])
  })

  test.each([
    [50, -28, 2],
    [50, -32, 0],
    [100, -52, 2],
    [100, -56, 0],
    [0, -5, 2],
    [0, -8, 0],
  ])('at sensitivity %i, %i dB of full scale makes %i transitions', (sensitivity, level, transitions) => {
    expect(hear(codec, { seconds: 20, sensitivity, levels: alarm(level) })).toHaveLength(transitions)
  })
})

test('pauses of a few seconds, and what is a little quieter, belong to the same sound', () => {
  const barking: Levels = (second) => (second >= 5 && second < 25 && second % 4 < 1 ? -20 : -70)
  expect(hear('pcmu', { seconds: 40, sensitivity: 50, levels: barking })).toHaveLength(2)
  const fading: Levels = (second) => (second < 8 ? alarm(-28)(second) : -34)
  expect(hear('pcmu', { seconds: 30, sensitivity: 50, levels: fading })).toHaveLength(1)
})

test('a click is no loud sound', () => {
  const click: Levels = (second) => (second >= 5 && second < 5.1 ? -3 : -70)
  expect(hear('pcmu', { seconds: 20, sensitivity: 50, levels: click })).toEqual([])
})

test('silence is none at any sensitivity, and a loud sound ends with the camera', () => {
  expect(hear('pcma', { seconds: 5, sensitivity: 100, levels: () => Number.NEGATIVE_INFINITY })).toEqual([])
  const detector = new LoudnessDetector('pcmu')
  const loud = new Uint8Array(RATE).map((_, index) => (index % 2 === 0 ? 0x80 : 0x00))
  detector.add(NOON, loud, 50)
  expect(detector.add(NOON + 1000, loud, 50)).toEqual({ kind: 'begins', at: NOON })
  expect(detector.end()).toEqual({ kind: 'ends', at: NOON + 1000 })
  expect(detector.end()).toBeUndefined()
})
