import { expect, it } from 'vitest'
import { hoursText } from './hours-text.ts'

it.each([
  ['en', '1 hour', '2.5 hours'],
  ['de', '1 Stunde', '2,5 Stunden'],
  ['es', '1 hora', '2,5 horas'],
  ['ja', '1 時間', '2.5 時間'],
  ['nl', '1 uur', '2,5 uur'],
  ['pl', '1 godzina', '2,5 godziny'],
  ['pt', '1 hora', '2,5 horas'],
  ['tr', '1 saat', '2,5 saat'],
])('%s: hours include their unit in the right plural form', (language, one, more) => {
  expect([1, 2.49].map((hours) => hoursText(hours, language))).toEqual([one, more])
})
