import { describe, expect, test } from 'vitest'
import { compareVersions, firmwareVersionProblem, isSameVersion } from './rules.ts'

describe('versions of firmware', () => {
  test.each([
    ['5.51.7.1', '5.51.7', 1],
    ['5.7.3', '5.7.10', -1],
    ['V5.7.3 build 220112', 'V5.7.3 build 211230', 1],
    ['2.800.0000000.31.R, Build Date 2021-01-01', '2.800.0000000.31.R, Build Date 2021-01-01', 0],
    ['1.0.0', 'v1.0.0', 0],
  ])('%s against %s', (one, other, sign) => {
    expect(Math.sign(compareVersions(one, other))).toBe(sign)
  })

  test.each([
    ['V5.7.3 build 220112', '5.7.3', true],
    ['5.7.3', 'V5.7.3 build 220112', true],
    ['5.7.3', '5.7.4', false],
    ['release', 'Release', true],
    ['release', '1.0', false],
    ['5.7', '5', false],
  ])('a camera that reports %s has %s: %s', (reported, version, isSame) => {
    expect(isSameVersion(reported, version)).toBe(isSame)
  })

  test('a version has 1 to 64 characters', () => {
    expect(firmwareVersionProblem(' ')).toBe('Please enter a version')
    expect(firmwareVersionProblem('1'.repeat(65))).toBe('This text is too long')
    expect(firmwareVersionProblem('1.0')).toBeUndefined()
  })
})
