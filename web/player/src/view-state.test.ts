import { describe, expect, test } from 'vitest'
import { judgeLive, phaseOfEnd, retryDelay } from './view-state.ts'

const smooth = { sinceBytesMs: 40, sincePictureMs: 40, latencyMs: 120, leastLatencyMs: 100 }

describe('the state of live video', () => {
  test('pictures on time are live', () => {
    expect(judgeLive(smooth)).toBe('playing')
  })
  test('pictures that arrive later than before are delayed', () => {
    expect(judgeLive({ ...smooth, latencyMs: 2500 })).toBe('delayed')
  })
  test('no picture for more than two seconds is frozen, even while bytes arrive', () => {
    expect(judgeLive({ ...smooth, sincePictureMs: 1900 })).toBe('playing')
    expect(judgeLive({ ...smooth, sincePictureMs: 2100 })).toBe('stalled')
  })
  test('a viewer’s clock that is an hour off makes no difference', () => {
    for (const offMs of [3_600_000, -3_600_000]) {
      expect(judgeLive({ ...smooth, latencyMs: 120 + offMs, leastLatencyMs: 100 + offMs })).toBe('playing')
    }
  })
  test('more than five seconds without data is a lost connection', () => {
    expect(judgeLive({ ...smooth, sinceBytesMs: 5001 })).toBe('lost')
  })
})

test.each([
  [0, 'ended'],
  [4, 'refused'],
  [9, 'refused'],
  [14, 'offline'],
  [18, 'offline'],
  [16, 'reconnecting'],
  [19, 'reconnecting'],
] as const)('the end code %i means %s', (code, phase) => {
  expect(phaseOfEnd(code)).toBe(phase)
})

test('retries slow down to one every eight seconds', () => {
  expect([1, 2, 3, 4, 5, 6, 50].map(retryDelay)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000])
})
