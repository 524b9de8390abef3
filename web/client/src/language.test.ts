import { expect, it } from 'vitest'
import { bestLanguage } from './language.ts'

it('the first wish that there is a catalogue for wins, whatever its region', () => {
  expect(bestLanguage(['en', 'nl'], ['fr-FR', 'nl-BE', 'en'])).toBe('nl')
  expect(bestLanguage(['en', 'nl'], ['fr'])).toBe('en')
})
