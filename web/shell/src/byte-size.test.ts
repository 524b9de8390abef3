import { describe, expect, it } from 'vitest'
import { byteSize } from './byte-size.ts'

describe('readable byte sizes', () => {
  it('use the largest unit that gives at least 1, with one decimal', () => {
    expect([0, 1, 999, 1000, 4_500_000_000, 2e12, 3e18].map((bytes) => byteSize(bytes, 'en'))).toEqual([
      '0 bytes',
      '1 byte',
      '999 bytes',
      '1 kB',
      '4.5 GB',
      '2 TB',
      '3,000 PB',
    ])
  })

  it('never show 1000 of a unit if there is a larger one', () => {
    expect(byteSize(999_949_999, 'en')).toBe('999.9 MB')
    expect(byteSize(999_950_000, 'en')).toBe('1 GB')
  })

  it('follow the language’s number format', () => {
    expect(byteSize(1_500_000, 'de')).toMatch(/^1,5\sMB$/)
  })
})
