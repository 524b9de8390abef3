import { expect, test } from 'vitest'
import { copySeconds, toPlayed, toSeconds, toTime } from './copy-clock.ts'

const noon = Date.UTC(2026, 10, 28, 12)
/** A minute that begins without footage, and lacks ten seconds in its middle. */
const copy = {
  from: noon,
  till: noon + 60_000,
  gaps: [
    { from: noon, till: noon + 5000 },
    { from: noon + 20_000, till: noon + 30_000 },
  ],
}

test('the video is shorter by its gaps', () => {
  expect(copySeconds(copy)).toBe(45)
})

test.each([
  [0, 5],
  [10, 15],
  [14.9, 19.9],
  [15, 30],
  [45, 60],
])('at %s s of the video it is %s s after the start', (seconds, after) => {
  expect(toTime(copy, seconds)).toBe(noon + after * 1000)
})

test.each([
  [0, 0],
  [5, 0],
  [15, 10],
  [20, 15],
  [25, 15],
  [30, 15],
  [60, 45],
])('%s s after the start is at %s s of the video; a time in a gap is where the footage continues', (after, seconds) => {
  expect(toSeconds(copy, noon + after * 1000)).toBe(seconds)
})

test('without gaps both run alike', () => {
  const whole = { ...copy, gaps: [] }
  expect([copySeconds(whole), toTime(whole, 12.5), toSeconds(whole, noon + 12_500)]).toEqual([60, noon + 12_500, 12.5])
})

test('a video that is longer begins earlier', () => {
  const whole = { ...copy, gaps: [] }
  expect(toTime(toPlayed(whole, 62), 0)).toBe(noon - 2000)
  expect(toTime(toPlayed(whole, 59), 0)).toBe(noon)
})

test('a video that begins after a gap begins with the footage, also if its length is rounded', () => {
  expect(toTime(toPlayed(copy, 45.1), 0)).toBe(noon + 5000)
})
