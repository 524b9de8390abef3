import { expect, test } from 'vitest'
import { readCookie } from './index.ts'

const asked = (cookie?: string) => ({ headers: cookie === undefined ? {} : { cookie } })

test.each([
  ['the first with its name', 'a=1; language=nl; language=de', 'nl'],
  ['not one whose name ends the same', 'xlanguage=nl', undefined],
  ['nor one whose name starts the same', 'languages=nl', undefined],
  ['with its equals signs', 'language=n=l=', 'n=l='],
  ['an empty one', 'language=', ''],
  ['written without a space', 'a=1;language=nl', 'nl'],
  ['none', undefined, undefined],
])('%s', (_, header, value) => expect(readCookie(asked(header), 'language')).toBe(value))
