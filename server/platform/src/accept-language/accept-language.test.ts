import { expect, test } from 'vitest'
import { chooseLanguage } from './index.ts'

test.each([
  ['a requested language wins', 'en', ['nl'], 'nl'],
  ['the first requested language with a translation', 'en', ['', 'fr', 'nl-BE', 'de'], 'nl'],
  ['or what the browser prefers', 'fr;q=0.9, en;q=0.2, nl-NL;q=0.8', [], 'nl'],
  ['in its order if it gives no weights', 'xx, pt-BR, nl', [], 'pt'],
  ["a language that the browser refuses doesn't count", 'nl;q=0, tr;q=0.1', [], 'tr'],
  ["the marker language doesn't count", 'aa', ['aa'], 'en'],
  ['or English', 'zz', ['xx'], 'en'],
  ['or English, without any request', undefined, [], 'en'],
  ["invalid values don't count", ';;;,,,q=', ['<script>'], 'en'],
])('%s', (_, header, wishes, language) => expect(chooseLanguage(header, wishes)).toBe(language))
