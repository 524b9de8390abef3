import { expect, test } from 'vitest'
import { lengthText } from './length-text.ts'

test.each([
  [3_725_000, '1 hr 2 min'],
  [40_000, '40 sec'],
  [0, '0 sec'],
  [-5000, '0 sec'],
  [6 * 86_400_000 + 3 * 3_600_000 + 59_000, '6 days 3 hr'],
  [86_400_000 + 59_000, '1 day'],
])('a length of %i ms has its two largest units: %s', (ms, text) => {
  expect(lengthText(ms, 'en')).toBe(text)
})

test('a length to the second has all of its units', () => {
  expect(lengthText(3_725_000, 'en', 4)).toBe('1 hr 2 min 5 sec')
  expect(lengthText(83_000, 'en', 4)).toBe('1 min 23 sec')
  expect(lengthText(86_400_000 + 59_000, 'en', 4)).toBe('1 day 59 sec')
})
