import { describe, expect, it } from 'vitest'
import { selectedShare, withKeys } from './selected-keys.ts'

describe('selected keys', () => {
  it('on other pages stay selected when a page is selected or cleared', () => {
    const both = withKeys(new Set([1, 2]), [2, 3], { on: true })
    expect([...both]).toEqual([1, 2, 3])
    expect([...withKeys(both, [2, 3], { on: false })]).toEqual([1])
  })

  it('can be all, some or none of a page', () => {
    const selected = new Set([1, 2])
    expect(selectedShare(selected, [1, 2])).toBe(true)
    expect(selectedShare(selected, [1, 9])).toBe('some')
    expect(selectedShare(selected, [8, 9])).toBe(false)
    expect(selectedShare(selected, [])).toBe(false)
  })
})
