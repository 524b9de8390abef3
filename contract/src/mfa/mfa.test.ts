import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { codeOrRecoveryProblem, codeProblem, formatRecoveryCode, mfaPatch, parseCode } from './index.ts'

describe('an authenticator code', () => {
  test.each([
    ['', 'Required.'],
    ['   ', 'Required.'],
    ['12345', '6 characters are required'],
    ['1234567', '6 characters are required'],
    ['12345a', '6 characters are required'],
    ['１２３４５６', '6 characters are required'],
    ['123456', undefined],
    ['123 456', undefined],
    ['123-456', undefined],
  ])('%j: %j', (text, problem) => {
    expect(codeProblem(text)).toBe(problem)
  })
  test('is compared without the characters between its digits', () => {
    expect(parseCode(' 012-345 ')).toEqual({ kind: 'app', code: '012345' })
  })
})

describe('a recovery code', () => {
  const letters = [...'0123456789abcdefghjkmnpqrstvwxyz']
  const code = fc.array(fc.constantFrom(...letters), { minLength: 10, maxLength: 10 }).map((all) => all.join(''))
  test('is recognized as displayed, in capitals and with spaces', () => {
    fc.assert(
      fc.property(code, (plain) => {
        for (const typed of [plain, formatRecoveryCode(plain), ` ${formatRecoveryCode(plain).toUpperCase()} `])
          expect(parseCode(typed)).toEqual({ kind: 'recoveryCode', code: plain })
      }),
    )
  })
  test('may be typed with letters that look like its digits', () => {
    expect(parseCode('oOiIl-Labcd')).toEqual({ kind: 'recoveryCode', code: '001111abcd' })
  })
  test("can't turn two-factor authentication on, but can turn it off", () => {
    expect(codeProblem('k7m3q-9xw2p')).toBe('6 characters are required')
    expect(codeOrRecoveryProblem('k7m3q-9xw2p')).toBeUndefined()
    expect(codeOrRecoveryProblem('k7m3q-9xw2')).toBe('6 characters are required')
  })
})

test.each([
  [{ enabled: true, code: '123456' }, true],
  [{ enabled: true, code: 'k7m3q-9xw2p' }, false],
  [{ enabled: false, code: 'k7m3q-9xw2p' }, true],
  [{ enabled: false, code: '' }, false],
  [{ code: '123456' }, false],
  [{ enabled: true, code: 123_456 }, false],
])('%j is a valid request: %j', (body, fits) => {
  expect(z.safeParse(mfaPatch, body).success).toBe(fits)
})
