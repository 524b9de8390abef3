import { expect, test } from 'vitest'
import { chooseLanguage } from './index.ts'

test.each([
  ['a wish wins', 'en', ['nl'], 'nl'],
  ['the first wish that there is a translation for', 'en', ['', 'fr', 'nl-BE', 'de'], 'nl'],
  ['else what the browser prefers', 'fr;q=0.9, en;q=0.2, nl-NL;q=0.8', [], 'nl'],
  ['its order where it tells no other', 'xx, pt-BR, nl', [], 'pt'],
  ['what the browser refuses does not count', 'nl;q=0, tr;q=0.1', [], 'tr'],
  ['the language of the translation tool is none', 'aa', ['aa'], 'en'],
  ['else English', 'zz', ['xx'], 'en'],
  ['else English, without any wish', undefined, [], 'en'],
  ['nonsense does not count', ';;;,,,q=', ['<script>'], 'en'],
])('%s', (_, header, wishes, language) => expect(chooseLanguage(header, wishes)).toBe(language))
