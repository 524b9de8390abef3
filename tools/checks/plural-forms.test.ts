import { expect, test } from 'vitest'
import { hasPlural, listPlaceholders, pluralFaults } from './plural-forms.ts'

const cameras = '{count, plural, one {# camera} other {# cameras}}'

test.each(['{count} cameras', 'The last {days} days', 'For {minutes} minutes.', '{used} of {total} rights are on'])(
  'a number beside a noun needs plural forms: %s',
  (text) => {
    expect(pluralFaults('en', text, text)).toEqual([expect.stringContaining('beside a word, without plural forms')])
  },
)

test.each([
  ['a label', 'Cameras: {count}'],
  ['two numbers', '{count} of {total}'],
  ['a word that is the same for one and many', '{count} selected'],
  ['a number with its unit, written by Intl', '{day}: {size}, {hours} of footage'],
  ['a name', '{company} asks you'],
  ['plural forms', `In ${cameras} of {total}`],
])('what does not depend on a number needs none: %s', (_, text) => {
  expect(pluralFaults('en', text, text)).toEqual([])
})

test('each language needs exactly the plural forms of its own rules', () => {
  expect(pluralFaults('en', cameras, cameras)).toEqual([])
  expect(pluralFaults('ja', '{count, plural, other {カメラ#台}}', cameras)).toEqual([])
  const polish = '{count, plural, one {# kamera} few {# kamery} many {# kamer} other {# kamery}}'
  expect(pluralFaults('pl', polish, cameras)).toEqual([])
  expect(pluralFaults('pl', '{count, plural, one {# kamera} other {# kamer}}', cameras)).toEqual([
    'has {count} as one other, but pl has few many one other',
  ])
  expect(pluralFaults('ja', cameras, cameras)).toEqual(['has {count} as one other, but ja has other'])
  expect(pluralFaults('de', '{count} Kameras', cameras)).toEqual(['has no plural forms for {count}, which English has'])
})

test('placeholders inside plural forms count', () => {
  const text = '{count, plural, one {# of {total} is on} other {# of {total} are on}}'
  expect([listPlaceholders(text), hasPlural(text), hasPlural('{count} of {total}')]).toEqual([
    ['count', 'total'],
    true,
    false,
  ])
})
