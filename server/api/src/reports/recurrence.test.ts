import { describe, expect, test } from 'vitest'
import { getReportSpan, nextTime } from './recurrence.ts'

describe('the next time', () => {
  const next = (every: 'day' | 'week' | 'month', at: string, after: string, timeZone = 'UTC') =>
    new Date(nextTime({ every, at }, timeZone, Date.parse(after))).toISOString()

  test.each([
    ['day', '06:00', '2026-07-10T05:59:59Z', '2026-07-10T06:00:00.000Z'],
    ['day', '06:00', '2026-07-10T06:00:00Z', '2026-07-11T06:00:00.000Z'],
    ['week', '00:00', '2026-07-10T12:00:00Z', '2026-07-13T00:00:00.000Z'],
    ['month', '23:59', '2026-07-01T23:59:00Z', '2026-08-01T23:59:00.000Z'],
  ] as const)('of a schedule every %s at %s, after %s, is %s', (every, at, after, expected) => {
    expect(next(every, at, after)).toBe(expected)
  })

  test.each([
    ['in the hour that clocks skip it is that much later', '02:30', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00.000Z'],
    ['in the hour that occurs twice it is the first one', '02:30', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['in the hour that occurs twice it isn’t due twice', '02:30', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
    ['at midnight it belongs to the day that starts', '00:00', '2026-07-10T12:00:00Z', '2026-07-10T22:00:00.000Z'],
  ])('%s', (_rule, at, after, expected) => {
    expect(next('day', at, after, 'Europe/Amsterdam')).toBe(expected)
  })

  test.each([
    ['day', '2026-07-13T04:00:00Z', '2026-07-12', '2026-07-12'],
    ['week', '2026-07-13T04:00:00Z', '2026-07-06', '2026-07-12'],
    ['month', '2026-03-01T04:00:00Z', '2026-02-01', '2026-02-28'],
  ] as const)('of a report every %s due at %s covers %s to %s', (every, at, from, till) => {
    expect(getReportSpan(every, 'Europe/Amsterdam', Date.parse(at))).toEqual({ from, till })
  })
})
