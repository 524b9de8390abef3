import { describe, expect, test } from 'vitest'
import { iccidProblem, normalIccid, skuProblem } from './rules.ts'

describe('an ICCID (ITU-T E.118)', () => {
  test.each(['894400000000000000', '8944501310180001321', '89014103211118510720', '8986001234567890123456'])(
    '%s is valid',
    (iccid) => {
      expect(iccidProblem(iccid)).toBeUndefined()
    },
  )

  test.each(['89440000000000000', '89440000000000000000000', '1234567890123456789', '8944O1310180001322A', '89 44'])(
    '%j is refused: it has 18 to 22 digits and starts with 89',
    (iccid) => {
      expect(iccidProblem(iccid)).toBe('An ICCID has 18 to 22 digits and starts with 89')
    },
  )

  test('with 19 or 20 digits, one wrong digit or two swapped ones are found by the check digit', () => {
    const mistyped = 'This ICCID has a typing error. Compare it with the SIM card.'
    expect(iccidProblem('8944501310180001322')).toBe(mistyped)
    expect(iccidProblem('8944501310180001231')).toBe(mistyped)
    expect(iccidProblem('89014103211118510721')).toBe(mistyped)
  })

  test('with another length there is no check digit, because operators use their own structure', () => {
    expect(['894400000000000000', '894400000000000001'].map(iccidProblem)).toEqual([undefined, undefined])
  })

  test('spaces and hyphens that cards print are taken away', () => {
    expect(normalIccid(' 8944 5013-1018 0001321 ')).toBe('8944501310180001321')
  })
})

test('the SKU of a plan has letters, digits and a few signs, at most 64', () => {
  for (const sku of ['DATA-1GB', 'A', 'x/y_z.1+2', 'A'.repeat(64)]) expect(skuProblem(sku)).toBeUndefined()
  for (const sku of ['', '-A', 'A B', '=1+1', 'A'.repeat(65), 'Ä']) expect(skuProblem(sku)).toBeDefined()
})
