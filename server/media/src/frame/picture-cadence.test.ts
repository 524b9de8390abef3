import { describe, expect, test } from 'vitest'
import { PictureCadence } from './index.ts'

const SECOND = 90_000

/** Pictures every `everyMs`, a key picture every `gop` of them. Returns whether something was missing before each. */
function send(
  cadence: PictureCadence,
  { from = 0, count, everyMs, gop }: { from?: number; count: number; everyMs: number; gop: number },
) {
  return Array.from({ length: count }, (_, number) =>
    cadence.add({ time: from + number * everyMs * 90, isKey: number % gop === 0 }),
  )
}

describe('silence is longer than', () => {
  test('five seconds for a camera with a usual rate and key pictures', () => {
    const cadence = new PictureCadence()
    send(cadence, { count: 200, everyMs: 40, gop: 50 })
    expect(cadence.silenceLimit).toBe(5000)
  })

  test('three distances of a slow camera', () => {
    const cadence = new PictureCadence()
    send(cadence, { count: 10, everyMs: 4000, gop: 1 })
    expect(cadence.silenceLimit).toBe(12_000)
  })

  test('one and a half groups of pictures, but never a minute', () => {
    const long = new PictureCadence()
    send(long, { count: 60, everyMs: 500, gop: 40 })
    expect(long.silenceLimit).toBe(30_000)
    const first = new PictureCadence()
    send(first, { count: 25, everyMs: 500, gop: 1000 })
    expect(first.silenceLimit).toBe(18_000)
    const endless = new PictureCadence()
    send(endless, { count: 10_000, everyMs: 500, gop: 20_000 })
    expect(endless.silenceLimit).toBe(60_000)
  })

  test('fifteen seconds while nothing is known of the camera', () => {
    const cadence = new PictureCadence()
    cadence.add({ time: 0, isKey: true })
    expect(cadence.silenceLimit).toBe(15_000)
    send(cadence, { from: SECOND, count: 5, everyMs: 40, gop: 50 })
    expect(cadence.silenceLimit).toBe(5000)
    cadence.forget()
    expect(cadence.silenceLimit).toBe(15_000)
  })

  test('a group of pictures with something missing in it says nothing about their length', () => {
    const cadence = new PictureCadence()
    send(cadence, { count: 100, everyMs: 40, gop: 50 })
    send(cadence, { from: 60 * SECOND, count: 100, everyMs: 40, gop: 50 })
    expect(cadence.silenceLimit).toBe(5000)
  })
})

describe('something is missing between pictures', () => {
  test('that are more than two seconds apart', () => {
    const cadence = new PictureCadence()
    send(cadence, { count: 50, everyMs: 40, gop: 50 })
    expect(cadence.add({ time: (49 * 40 + 2000) * 90, isKey: true })).toBe(false)
    expect(cadence.add({ time: (49 * 40 + 4001) * 90, isKey: true })).toBe(true)
  })

  test('that are more than three of their usual distances apart', () => {
    const cadence = new PictureCadence()
    send(cadence, { count: 20, everyMs: 1000, gop: 1 })
    expect(cadence.add({ time: 22 * SECOND, isKey: true })).toBe(false)
    expect(cadence.add({ time: 25.1 * SECOND, isKey: true })).toBe(true)
  })

  test('not for long if the camera only became slower', () => {
    const cadence = new PictureCadence()
    send(cadence, { count: 200, everyMs: 40, gop: 50 })
    const missing = send(cadence, { from: 60 * SECOND, count: 30, everyMs: 3000, gop: 1 })
    expect(missing.findLastIndex((isMissing) => isMissing)).toBeLessThan(9)
  })

  test('not across the start of a run, whose time is another one', () => {
    const cadence = new PictureCadence()
    send(cadence, { count: 50, everyMs: 40, gop: 50 })
    cadence.restart()
    expect(cadence.add({ time: 1000 * SECOND, isKey: true })).toBe(false)
  })
})
