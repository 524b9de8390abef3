import { expect, test } from 'vitest'
import { parseMessage } from './in-context.ts'

test.each([
  ['crwdns1:0Savecrwdne1:0', ['crwdns1:0Savecrwdne1:0']],
  ['crwdns2:0Until {time}.crwdne2:0', ['crwdns2:0Until ', ['time'], '.crwdne2:0']],
  ['{a}{b}', [['a'], ['b']]],
])('the mark %s keeps the places of its values', (mark, message) => {
  expect(parseMessage(mark)).toEqual(message)
})
