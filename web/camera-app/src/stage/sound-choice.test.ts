import { describe, expect, test } from 'vitest'
import { parseSound, silent, soundText, withVolume } from './sound-choice.ts'

describe('the choice of sound', () => {
  test('is off by default', () => {
    expect(parseSound(null)).toEqual({ on: false, volume: 0.8 })
  })
  test('is remembered', () => {
    for (const choice of [silent, { on: true, volume: 0.35 }, { on: true, volume: 1 }]) {
      expect(parseSound(soundText(choice))).toEqual(choice)
    }
  })
  test.each(['', 'on', 'on NaN', 'on 7', 'on -1', 'loud 1', '{}'])(
    'stored as %j is invalid and counts as none',
    (text) => {
      expect(parseSound(text)).toEqual(silent)
    },
  )
  test('turned down to 0 is off, and returns at the previous volume', () => {
    const off = withVolume({ on: true, volume: 0.6 }, 0)
    expect(off).toEqual({ on: false, volume: 0.6 })
    expect({ ...off, on: true }.volume).toBe(0.6)
  })
  test('turned up is on', () => {
    expect(withVolume(silent, 0.3)).toEqual({ on: true, volume: 0.3 })
  })
})
