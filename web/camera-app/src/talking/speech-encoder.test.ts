import { expect, test } from 'vitest'
import { FRAME_SAMPLES, SpeechEncoder, type SpeechFrame, toMuLaw } from './speech-encoder.ts'

/** ITU-T G.711, table 2. */
function codeValue(code: number): number {
  const bits = ~code & 0x7f
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << (bits >> 4)) - 0x84
  return ((code & 0x80) === 0 ? -magnitude : magnitude) / 32_768
}

test('each sample gets the nearest code of µ-law, and what is too loud the loudest one', () => {
  for (let sample = -1; sample <= 1; sample += 0.001) {
    const distance = Math.abs(codeValue(toMuLaw(sample)) - sample)
    expect(distance).toBeLessThanOrEqual(Math.max(0.000_15, Math.abs(sample) * 0.033))
  }
  expect([0, 1, -1, 3, -3].map(toMuLaw)).toEqual([0xff, 0x80, 0x00, 0x80, 0x00])
})

const tone = (hertz: number, rate: number, seconds: number): Float32Array =>
  Float32Array.from({ length: rate * seconds }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / rate))

function encode(sound: Float32Array, rate: number, pieceSamples: number): SpeechFrame[] {
  const frames: SpeechFrame[] = []
  const encoder = new SpeechEncoder(rate, (frame) => frames.push(frame))
  for (let at = 0; at < sound.length; at += pieceSamples) encoder.push(sound.subarray(at, at + pieceSamples))
  return frames
}

/** How often the sound rises through zero each second. */
function hertzOf(frames: readonly SpeechFrame[]): number {
  const values = frames.flatMap(({ sound }) => [...sound].map(codeValue))
  const rises = values.filter((value, at) => value >= 0 && (values[at - 1] ?? 0) < 0).length
  return (rises * 8000) / values.length
}

test.each([48_000, 44_100, 16_000, 8000])('a tone stays that tone at 8000 samples a second, from %s', (rate) => {
  const frames = encode(tone(440, rate, 1), rate, 128)
  expect(frames.length).toBeGreaterThanOrEqual(49)
  for (const { sound } of frames) expect(sound).toHaveLength(FRAME_SAMPLES)
  expect(Math.abs(hertzOf(frames) - 440)).toBeLessThan(5)
  for (const { level } of frames) expect(level).toBeCloseTo(0.5, 1)
})

test('the pieces in which the sound comes don’t matter', () => {
  const sound = tone(300, 44_100, 0.5)
  const [small, large] = [encode(sound, 44_100, 128), encode(sound, 44_100, 4096)]
  expect(small.map((frame) => [...frame.sound])).toEqual(large.map((frame) => [...frame.sound]))
})
