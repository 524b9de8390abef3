import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  checkCredentials,
  confirmationProblem,
  credentialsPatch,
  decodePasswordHeader,
  encodePasswordHeader,
  passwordProblem,
} from './index.ts'

const allowed = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', ...'-_.,!?@$&*^=%:/\\~+#"']
const ofAllowed = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom(...allowed), { minLength, maxLength }).map((chars) => chars.join(''))

describe('new password', () => {
  test('8-32 letters, digits and the specials of both lists are accepted', () => {
    fc.assert(fc.property(ofAllowed(8, 32), (text) => passwordProblem(text) === undefined))
  })
  test('shorter than 8 or longer than 32 is reported', () => {
    const wrongLength = fc.oneof(ofAllowed(0, 7), ofAllowed(33, 80))
    fc.assert(fc.property(wrongLength, (text) => passwordProblem(text) === 'Password should be 8-32 characters'))
  })
  test('any other character is reported before the length', () => {
    const other = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => ![...text].some((c) => allowed.includes(c)))
    const mixed = fc.tuple(ofAllowed(0, 16), other, ofAllowed(0, 16)).map((parts) => parts.join(''))
    fc.assert(fc.property(mixed, (text) => passwordProblem(text) === 'Password contains invalid characters'))
  })
  test('the repeated password must match', () => {
    expect(confirmationProblem('Long-enough1', 'Long-enough1')).toBeUndefined()
    expect(confirmationProblem('Long-enough1', 'Long-enough2')).toBe('Password does not match')
  })
})

describe('header X-Password', () => {
  test('round-trips every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (text) => {
        const header = encodePasswordHeader(text)
        expect(header).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(decodePasswordHeader(header)).toBe(text)
      }),
    )
  })
  test.each(['', 'a b', 'ö', '_w', 'a+b/'])("%j isn't base64url of UTF-8", (header) => {
    expect(decodePasswordHeader(header)).toBeUndefined()
  })
})

test('a password in the query is refused', () => {
  expect(z.safeParse(checkCredentials.query, { password: 'x' }).success).toBe(false)
  expect(z.safeParse(checkCredentials.query, {}).success).toBe(true)
})

test('an old short password is accepted as the current one', () => {
  expect(z.safeParse(credentialsPatch, { password: 'ab', newPassword: 'Long-enough1' }).success).toBe(true)
})
