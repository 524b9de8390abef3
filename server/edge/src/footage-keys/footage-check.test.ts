import { expect, test } from 'vitest'
import { checkPagePolicy } from './index.ts'

const page = (policy: string) => `<meta http-equiv="content-security-policy" content="${policy}">`

test('the page that checks footage keeps its own policy as a header, and can’t be framed', () => {
  expect(checkPagePolicy(page("default-src 'none'; script-src 'sha256-abc='"))).toBe(
    "default-src 'none'; script-src 'sha256-abc='; frame-ancestors 'none'",
  )
  expect(checkPagePolicy('<html>')).toBe("default-src 'none'; frame-ancestors 'none'")
})
