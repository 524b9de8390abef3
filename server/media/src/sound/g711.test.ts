import { expect, test } from 'vitest'
import { type G711Codec, g711Values, toOtherLaw } from './g711.ts'

const everyCode = Uint8Array.from({ length: 256 }, (_, code) => code)
const laws = ['pcmu', 'pcma'] as const
const other = (codec: G711Codec): G711Codec => (codec === 'pcmu' ? 'pcma' : 'pcmu')
const soundOf = (codec: G711Codec, code: number): number => g711Values[codec][code] ?? 0

// ITU-T G.711, tables 1 and 2: silence, the loudest sample and a step between them.
test.each([
  ['pcmu', 0xff, 0],
  ['pcmu', 0x80, 32_124],
  ['pcmu', 0x00, -32_124],
  ['pcma', 0xd5, 8],
  ['pcma', 0xaa, 32_256],
  ['pcma', 0x2a, -32_256],
] as const)('%s code %i stands for %i', (codec, code, value) => {
  expect(soundOf(codec, code)).toBe(value)
})

test.each(laws)('%s becomes the nearest code of the other law', (codec) => {
  const converted = toOtherLaw(everyCode, codec)
  for (const [code, became] of converted.entries()) {
    const value = soundOf(codec, code)
    const off = Math.abs(soundOf(other(codec), became) - value)
    // A step of either law is at most a sixteenth of the value it stands for, and 16 near silence.
    expect(off).toBeLessThanOrEqual(Math.max(16, Math.abs(value) / 16))
  }
})

test('silence stays silence', () => {
  expect(toOtherLaw(Uint8Array.of(0xff), 'pcmu')).toEqual(Uint8Array.of(0xd5))
})
