import { describe, expect, it } from 'vitest'
import { byteSize } from './byte-size.ts'

describe('bytes as people read them', () => {
  it('are in the largest unit of which there is one, with one decimal', () => {
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

  it('never are a thousand of a unit where there is a next one', () => {
    expect(byteSize(999_949_999, 'en')).toBe('999.9 MB')
    expect(byteSize(999_950_000, 'en')).toBe('1 GB')
  })

  it('are written as the language does', () => {
    expect(byteSize(1_500_000, 'de')).toMatch(/^1,5\sMB$/)
  })
})
