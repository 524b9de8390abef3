import { describe, expect, test } from 'vitest'
import { findSpan, scheduleSpans, toLocalMinute, type Weekday } from './index.ts'

const span = (days: readonly Weekday[], from: string, to: string) => ({ days: [...days], from, to })
const isCovered = (spans: readonly ReturnType<typeof span>[], at: string, timeZone: string) =>
  findSpan(spans, toLocalMinute(Date.parse(at), timeZone)) !== undefined

describe('a span of a schedule', () => {
  const office = [span(['mon', 'tue'], '09:00', '17:30')]
  test('starts with its first minute and ends before its last, on its days', () => {
    const covered = [
      '2026-11-23T08:59Z',
      '2026-11-23T09:00Z',
      '2026-11-24T17:29Z',
      '2026-11-24T17:30Z',
      '2026-11-25T10:00Z',
    ]
    expect(covered.map((at) => isCovered(office, at, 'UTC'))).toEqual([false, true, true, false, false])
  })

  test('that ends before it starts runs into the next day, from Sunday into Monday too', () => {
    const night = [span(['sun'], '22:00', '06:00')]
    const at = ['2026-11-22T21:59Z', '2026-11-22T22:00Z', '2026-11-23T05:59Z', '2026-11-23T06:00Z', '2026-11-23T22:30Z']
    expect(at.map((each) => isCovered(night, each, 'UTC'))).toEqual([false, true, true, false, false])
  })

  test('may end at 24:00, and one with two equal times lasts a day', () => {
    expect(isCovered([span(['mon'], '00:00', '24:00')], '2026-11-23T23:59Z', 'UTC')).toBe(true)
    expect(isCovered([span(['mon'], '00:00', '24:00')], '2026-11-24T00:00Z', 'UTC')).toBe(false)
    expect(isCovered([span(['mon'], '12:00', '12:00')], '2026-11-24T11:59Z', 'UTC')).toBe(true)
  })

  test.each([
    // The clock goes from 02:00 to 03:00 on 29 March and from 03:00 to 02:00 on 25 October 2026.
    ['Europe/Amsterdam', '2026-03-29T00:59Z', [span(['sun'], '02:30', '03:30')], false],
    ['Europe/Amsterdam', '2026-03-29T01:00Z', [span(['sun'], '02:30', '03:30')], true],
    ['Europe/Amsterdam', '2026-10-25T00:15Z', [span(['sun'], '02:00', '02:30')], true],
    ['Europe/Amsterdam', '2026-10-25T00:45Z', [span(['sun'], '02:00', '02:30')], false],
    ['Europe/Amsterdam', '2026-10-25T01:15Z', [span(['sun'], '02:00', '02:30')], true],
    // Half an hour back on 5 April 2026.
    ['Australia/Lord_Howe', '2026-04-04T14:45Z', [span(['sun'], '01:30', '02:00')], true],
    ['Australia/Lord_Howe', '2026-04-04T15:15Z', [span(['sun'], '01:30', '02:00')], true],
    ['Australia/Lord_Howe', '2026-04-04T15:30Z', [span(['sun'], '01:30', '02:00')], false],
    // Midnight is missing on 6 September 2026.
    ['America/Santiago', '2026-09-06T03:59Z', [span(['sun'], '00:00', '02:00')], false],
    ['America/Santiago', '2026-09-06T04:00Z', [span(['sun'], '00:00', '02:00')], true],
    ['America/Santiago', '2026-09-06T05:00Z', [span(['sun'], '00:00', '02:00')], false],
    // An hour back for Ramadan, on 15 February 2026.
    ['Africa/Casablanca', '2026-02-15T02:30Z', [span(['sun'], '02:00', '03:00')], true],
  ] as const)('follows the clock of %s at %s', (timeZone, at, spans, expected) => {
    expect(isCovered(spans, at, timeZone)).toBe(expected)
  })
})

describe('a schedule', () => {
  const parse = (recording: unknown) => scheduleSpans.safeParse({ recording, push: [], email: [] })
  test.each([
    [[span(['mon'], '09:00', '12:00'), span(['mon'], '12:00', '13:00')], true],
    [[span(['mon'], '09:00', '12:01'), span(['mon'], '12:00', '13:00')], false],
    [[span(['mon'], '22:00', '06:00'), span(['tue'], '05:59', '07:00')], false],
    [[span(['sun'], '22:00', '06:00'), span(['mon'], '05:00', '07:00')], false],
    [[span(['mon', 'tue'], '08:00', '08:00')], true],
    [[span(['mon', 'mon'], '09:00', '10:00')], false],
    [[span([], '09:00', '10:00')], false],
    [[span(['mon'], '24:00', '10:00')], false],
    [[span(['mon'], '9:00', '10:00')], false],
    [[span(['mon'], '09:00', '24:01')], false],
  ])('%j is valid: %s', (recording, isValid) => {
    expect(parse(recording).success).toBe(isValid)
  })
})
