import { expect, test } from 'vitest'
import { readCookie } from './index.ts'

const asked = (cookie?: string) => ({ headers: cookie === undefined ? {} : { cookie } })

test.each([
  ['the first of its name', 'a=1; language=nl; language=de', 'nl'],
  ['not one that only ends so', 'xlanguage=nl', undefined],
  ['nor one that only begins so', 'languages=nl', undefined],
  ['with its signs of equality', 'language=n=l=', 'n=l='],
  ['an empty one', 'language=', ''],
  ['written without a space', 'a=1;language=nl', 'nl'],
  ['none', undefined, undefined],
])('%s', (_, header, value) => expect(readCookie(asked(header), 'language')).toBe(value))
