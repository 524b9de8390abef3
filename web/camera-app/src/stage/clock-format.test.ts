import { localDate, localDay } from '@sightline/shell/local-day'
import { expect, test } from 'vitest'
import { clockFormat } from './clock-format.ts'

const AMSTERDAM = 'Europe/Amsterdam'
const SECOND = 1000

/** What the clock shows while pictures play from just before a moment to just after it, two seconds each. */
const playOver = (moment: number) =>
  [-2, -1, 0, 1].map((seconds) => clockFormat(AMSTERDAM, 'en-GB')(moment + seconds * SECOND))

test('pictures that play until the clocks go back show the hour again, in the other time', () => {
  expect(playOver(Date.UTC(2026, 9, 25, 1))).toEqual([
    'Sun 25 Oct, 02:59:58 CEST',
    'Sun 25 Oct, 02:59:59 CEST',
    'Sun 25 Oct, 02:00:00 CET',
    'Sun 25 Oct, 02:00:01 CET',
  ])
})

test('pictures that play until the clocks go forward skip the hour', () => {
  expect(playOver(Date.UTC(2026, 2, 29, 1))).toEqual([
    'Sun 29 Mar, 01:59:58 CET',
    'Sun 29 Mar, 01:59:59 CET',
    'Sun 29 Mar, 03:00:00 CEST',
    'Sun 29 Mar, 03:00:01 CEST',
  ])
})

test.each([
  ['a usual day', Date.UTC(2026, 5, 30, 22), 24],
  ['the day on which the clocks go back', Date.UTC(2026, 9, 24, 22), 25],
  ['the day on which they go forward', Date.UTC(2026, 2, 28, 23), 23],
])('pictures that play over midnight into %s are on the next date and in its timeline', (_, midnight, hours) => {
  const dates = [-1, 0].map((ms) => localDate(midnight + ms, AMSTERDAM))
  expect(dates[0]).not.toBe(dates[1])
  const written = playOver(midnight)
  expect(written.map((text) => /\d\d:\d\d:\d\d/.exec(text)?.[0])).toEqual([
    '23:59:58',
    '23:59:59',
    '00:00:00',
    '00:00:01',
  ])
  expect(new Set(written.map((text) => text.split(',')[0])).size).toBe(2)
  const day = localDay(dates[1] ?? '', AMSTERDAM)
  expect(day).toEqual({ from: midnight, till: midnight + hours * 3_600_000 })
})
