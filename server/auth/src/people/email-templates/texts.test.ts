import { expect, test } from 'vitest'
import { harmlessName } from './texts.ts'

test.each([
  ['Olivia Owner', 'Olivia Owner'],
  ["Seán O'Brien-Smith", "Seán O'Brien-Smith"],
  ['J.R.R. Tolkien', 'J. R. R. Tolkien'],
  ['https://evil.example/login', 'https evil. example login'],
  ['evil.example', 'evil. example'],
  ['<b>me@evil.example</b>', 'b me evil. example b'],
  ['a\r\nb', 'a b'],
])("%j is written as %j, so that email programs don't turn it into a link", (name, shown) => {
  expect(harmlessName(name)).toBe(shown)
})
