import { expect, test } from 'vitest'
import { quietTimes, timeText } from './quiet-hours.ts'

test('quiet hours begin and end at half hours, or at the time that was set elsewhere', () => {
  expect(quietTimes('22:00')).toHaveLength(48)
  expect(quietTimes('22:00').slice(0, 3)).toEqual(['00:00', '00:30', '01:00'])
  expect(quietTimes('22:10').slice(44, 47)).toEqual(['22:00', '22:10', '22:30'])
})

test.each([
  ['22:00', 'en', '10:00 PM'],
  ['07:30', 'de', '07:30'],
  ['24:00', 'de', '00:00'],
])('%s in %s is %s', (time, language, text) => {
  expect(timeText(time, language).replaceAll(/\s/g, ' ')).toBe(text)
})
