import { describe, expect, it } from 'vitest'
import { placeRows, withNeighbors } from './list-window.ts'

describe('the window of a long list', () => {
  it('keeps a distant row and its neighbors, in list order', () => {
    expect(withNeighbors([500, 501], 3, 1000)).toEqual([2, 3, 4, 500, 501])
    expect(withNeighbors([0, 1], 1, 1000)).toEqual([0, 1, 2])
    expect(withNeighbors([0, 1], 999, 1000)).toEqual([0, 1, 998, 999])
    expect(withNeighbors([0, 1], -1, 1000)).toEqual([0, 1])
  })

  it('reserves the space of rows that are not drawn', () => {
    const row = (index: number) => ({ index, start: index * 50, size: 50 })
    expect(placeRows({ rows: [row(2), row(3), row(10)], height: 1000 }, 20)).toEqual({
      placed: [
        { index: 2, gap: 100 },
        { index: 3, gap: 0 },
        { index: 10, gap: 300 },
      ],
      after: 450,
    })
  })

  it('leaves out rows that no longer exist', () => {
    const rows = [0, 1, 2].map((index) => ({ index, start: index * 50, size: 50 }))
    expect(placeRows({ rows, height: 100 }, 2)).toEqual({
      placed: [
        { index: 0, gap: 0 },
        { index: 1, gap: 0 },
      ],
      after: 0,
    })
  })
})
