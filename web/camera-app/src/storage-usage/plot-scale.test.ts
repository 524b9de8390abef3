import { describe, expect, it } from 'vitest'
import { byteScale } from './plot-scale.ts'

describe('the scale of a plot', () => {
  it('has at most four round steps and reaches beyond the highest bar', () => {
    expect(byteScale(9.1)).toEqual([0, 2.5, 5, 7.5, 10])
    expect(byteScale(4)).toEqual([0, 1, 2, 3, 4])
    expect(byteScale(4_100_000_000)).toEqual([0, 2e9, 4e9, 6e9])
    for (const most of [1, 7, 13, 99, 101, 12_345]) {
      const scale = byteScale(most)
      expect(scale.at(-1)).toBeGreaterThanOrEqual(most)
      expect(scale.length).toBeLessThanOrEqual(5)
    }
  })

  it('is only 0 without data', () => {
    expect(byteScale(0)).toEqual([0])
  })
})
