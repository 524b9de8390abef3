import { expect, test } from 'vitest'
import { durationText } from './alert-minutes.ts'

test.each([
  [1, 'en', '1 minute'],
  [5, 'en', '5 minutes'],
  [60, 'en', '1 hour'],
  [90, 'en', '90 minutes'],
  [720, 'en', '12 hours'],
  [1440, 'en', '1 day'],
  [2880, 'en', '2 days'],
  [1, 'pl', '1 minuta'],
  [2, 'pl', '2 minuty'],
  [5, 'pl', '5 minut'],
  [120, 'de', '2 Stunden'],
  [1440, 'ja', '1 日'],
])('%i minutes in %s are %s', (minutes, language, text) => {
  expect(durationText(minutes, language)).toBe(text)
})
