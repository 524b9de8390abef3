import {
  addDays,
  localDate,
  localDay,
  localTime,
  parseTimeOfDay,
  timeOfDay,
  utcOffset,
} from '@sightline/shell/local-day'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, LONGEST, pan, reveal, SHORTEST, spanLength, toTime, toX, within, zoom } from './span.ts'

const day = { from: 0, till: DAY }
const noon = 12 * HOUR

describe('the span of a timeline', () => {
  test('converts between pixels and times', () => {
    const span = { from: HOUR, till: 3 * HOUR }
    expect(toX(2 * HOUR, span, 800)).toBe(400)
    expect(toTime(400, span, 800)).toBe(2 * HOUR)
  })
  test('the time under the pointer stays there while zooming', () => {
    const span = zoom(day, 0.25, 9 * HOUR)
    expect(spanLength(span)).toBe(6 * HOUR)
    expect(toX(9 * HOUR, span, 800)).toBeCloseTo(toX(9 * HOUR, day, 800))
  })
  test('zooming stops at a second and at a year', () => {
    let span = { ...day }
    for (let n = 0; n < 40; n += 1) span = zoom(span, 0.5, noon)
    expect(spanLength(span)).toBe(SHORTEST)
    for (let n = 0; n < 40; n += 1) span = zoom(span, 2, noon)
    expect(spanLength(span)).toBe(LONGEST)
  })
  test('panning has no end at midnight, but the future alone is not shown', () => {
    const now = Date.UTC(2026, 10, 27, 12)
    const span = { from: now - HOUR, till: now }
    expect(within(pan(span, -30 * DAY), now)).toEqual({ from: span.from - 30 * DAY, till: span.till - 30 * DAY })
    const ahead = within(pan(span, 30 * DAY), now)
    expect(ahead.from).toBeLessThan(now)
    expect(ahead.till).toBeGreaterThan(now)
  })
  test('revealing a time centers it only if it is outside', () => {
    const span = { from: 0, till: HOUR }
    expect(reveal(span, HOUR / 2)).toBe(span)
    expect(reveal(span, noon)).toEqual({ from: noon - HOUR / 2, till: noon + HOUR / 2 })
  })
})

describe('a day in a time zone', () => {
  const amsterdam = 'Europe/Amsterdam'
  test('has 24 hours, 23 when daylight saving time starts and 25 when it ends', () => {
    const hours = (date: string) => spanLength(localDay(date, amsterdam) ?? { from: 0, till: 0 }) / HOUR
    expect(['2026-03-28', '2026-03-29', '2026-10-25'].map(hours)).toEqual([24, 23, 25])
  })
  test('begins at local midnight', () => {
    expect(localDay('2026-07-01', amsterdam)?.from).toBe(Date.UTC(2026, 5, 30, 22))
    expect(localDay('2026-01-01', 'Asia/Kolkata')?.from).toBe(Date.UTC(2025, 11, 31, 18, 30))
  })
  test.each(['2026-02-30', '2026-13-01', 'today', ''])('%j is not a date', (date) => {
    expect(localDay(date, amsterdam)).toBeUndefined()
  })
  test('a repeated hour means its first occurrence, and a skipped hour the time after the jump', () => {
    const at = (month: number, dayOfMonth: number, hour: number) =>
      localTime({ year: 2026, month, day: dayOfMonth, hour, minute: 30, second: 0 }, amsterdam)
    expect(at(10, 25, 2)).toBe(Date.UTC(2026, 9, 25, 0, 30))
    expect(at(3, 29, 2)).toBe(Date.UTC(2026, 2, 29, 1, 30))
  })
  test.each([
    ['9', '09:00:00'],
    ['9:05', '09:05:00'],
    ['09.05.30', '09:05:30'],
    ['0905', '09:05:00'],
    ['235959', '23:59:59'],
  ])('%s is read as %s', (text, shown) => {
    const time = parseTimeOfDay(text, '2026-07-01', amsterdam)
    expect(timeOfDay(time ?? 0, amsterdam)).toBe(shown)
    expect(localDate(time ?? 0, amsterdam)).toBe('2026-07-01')
  })
  test.each(['24:00', '9:60', 'noon', '', '1:2:3:4'])('%j is not a time of day', (text) => {
    expect(parseTimeOfDay(text, '2026-07-01', amsterdam)).toBeUndefined()
  })
  test('date arithmetic crosses months and years', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
  })
  test('offsets follow daylight saving', () => {
    expect(utcOffset(Date.UTC(2026, 6, 1), amsterdam)).toBe(2 * HOUR)
    expect(utcOffset(Date.UTC(2026, 0, 1), amsterdam)).toBe(HOUR)
  })
})
