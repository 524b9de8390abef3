import { describe, expect, test } from 'vitest'
import { appAddress, base32, computeTotpCode, findTotpStep, getTotpStep, SEED_BYTES } from './totp.ts'

/** The seed of both RFCs' examples. */
const seed = Buffer.from('12345678901234567890')

test('a seed of 20 bytes', () => {
  expect(seed).toHaveLength(SEED_BYTES)
})

test.each([
  [0, '755224'],
  [1, '287082'],
  [2, '359152'],
  [3, '969429'],
  [4, '338314'],
  [5, '254676'],
  [6, '287922'],
  [7, '162583'],
  [8, '399871'],
  [9, '520489'],
])('RFC 4226 appendix D: counter %i is %s', (counter, code) => {
  expect(computeTotpCode(seed, counter)).toBe(code)
})

// The RFC's codes have eight digits; ours are the last six.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('RFC 6238 appendix B: at %i s the code is %s', (seconds, code) => {
  expect(computeTotpCode(seed, getTotpStep(seconds * 1000))).toBe(code)
})

describe('a code is accepted', () => {
  const now = 1_800_000_015_000
  const step = getTotpStep(now)
  test.each([-1, 0, 1])('from %i steps away', (away) => {
    expect(findTotpStep(computeTotpCode(seed, step + away), seed, now)).toBe(step + away)
  })
  test.each([-3, -2, 2, 3])('but not from %i steps away', (away) => {
    expect(findTotpStep(computeTotpCode(seed, step + away), seed, now)).toBeUndefined()
  })
  test('as the newest step with that code, so that it is used up for all of them', () => {
    // Found by trying: two steps one after the other that have one code.
    const first = 910_737
    expect(computeTotpCode(seed, first + 1)).toBe(computeTotpCode(seed, first))
    expect(findTotpStep(computeTotpCode(seed, first), seed, first * 30_000)).toBe(first + 1)
  })
  test('only with six digits', () => {
    expect(findTotpStep(computeTotpCode(seed, step).slice(1), seed, now)).toBeUndefined()
  })
})

// RFC 4648 §10, without the padding.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%j in base32 is %j', (text, coded) => {
  expect(base32(Buffer.from(text))).toBe(coded)
})

test('the address for authenticator apps names brand and user, whatever their names contain', () => {
  const address = new URL(appAddress({ issuer: 'Blue: Eye & Co', email: 'a+b@c.example', seed }))
  expect(address.protocol).toBe('otpauth:')
  expect(address.host).toBe('totp')
  expect(decodeURIComponent(address.pathname)).toBe('/Blue  Eye & Co:a+b@c.example')
  expect(Object.fromEntries(address.searchParams)).toEqual({
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    issuer: 'Blue  Eye & Co',
  })
})
