import { expect, test } from 'vitest'
import { phraseFaults } from './plain-phrases.ts'

test.each([
  ['It is made by itself.', 'by itself'],
  ['Shorter interruptions are not told.', 'are not told'],
  ['Whoever knows the key', 'Whoever'],
  ['Nobody of the helpdesk is inside', 'Nobody'],
  ['{name} begins anew today.', 'begins anew'],
  ['It goes on as soon as pictures come again.', 'goes on'],
  ['A link comes by mail.', 'by mail'],
  ['Another e-mail address', 'e-mail'],
])('%s is reported', (text, found) => {
  expect(phraseFaults(text)).toEqual([expect.stringContaining(`says "${found}"; write `)])
})

test.each(['Check your email', 'No mail server is set', "You'll be notified", 'Sign in to continue'])(
  '%s is plain',
  (text) => {
    expect(phraseFaults(text)).toEqual([])
  },
)
