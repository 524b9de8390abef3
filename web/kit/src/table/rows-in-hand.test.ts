import { describe, expect, it } from 'vitest'
import { nextSort, searchRows, slicePage, sortRows } from './rows-in-hand.ts'

const names = (rows: readonly { name: string | null }[]) => rows.map((row) => row.name)
const byName = (descending: boolean) => ({ value: (row: { name: string | null }) => row.name, descending })

describe('sorting rows in the browser', () => {
  const rows = [{ name: 'Camera 10' }, { name: null }, { name: 'camera 9' }, { name: 'Äpfel' }, { name: '' }]

  it('sorts numbers in texts by value and ignores case and accents', () => {
    expect(names(sortRows(rows, byName(false), 'en'))).toEqual(['Äpfel', 'camera 9', 'Camera 10', null, ''])
  })

  it('puts unknown values last, also in descending order', () => {
    expect(names(sortRows(rows, byName(true), 'en'))).toEqual(['Camera 10', 'camera 9', 'Äpfel', null, ''])
  })

  it('compares numbers and booleans by value', () => {
    const sorted = sortRows([{ n: 10 }, { n: 9 }], { value: (row) => row.n, descending: false }, '')
    expect(sorted).toEqual([{ n: 9 }, { n: 10 }])
    expect(sortRows([{ on: true }, { on: false }], { value: (row) => row.on, descending: false }, '')[0]).toEqual({
      on: false,
    })
  })

  it('keeps the order of equal rows', () => {
    const equal = [
      { name: 'a', id: 1 },
      { name: 'A', id: 2 },
    ]
    expect(sortRows(equal, byName(true), 'en').map((row) => row.id)).toEqual([1, 2])
  })

  it('cycles through ascending, descending and unsorted', () => {
    const up = nextSort(undefined, 'name')
    const down = nextSort(up, 'name')
    expect([up, down, nextSort(down, 'name')]).toEqual([
      { column: 'name', descending: false },
      { column: 'name', descending: true },
      undefined,
    ])
    expect(nextSort(down, 'email')).toEqual({ column: 'email', descending: false })
  })
})

describe('searching rows in the browser', () => {
  const rows = [{ name: 'Renée Ångström' }, { name: 'Rene Smith' }, { name: 'Ada' }]

  it('finds rows that contain every word, ignoring case and accents', () => {
    expect(names(searchRows(rows, (row) => row.name, 'ang RENE'))).toEqual(['Renée Ångström'])
    expect(names(searchRows(rows, (row) => row.name, 'rene'))).toEqual(['Renée Ångström', 'Rene Smith'])
  })

  it('finds every row for an empty query', () => {
    expect(searchRows(rows, (row) => row.name, '  ')).toBe(rows)
  })
})

describe('paging rows in the browser', () => {
  const rows = Array.from({ length: 26 }, (_, index) => index)

  it('puts the remaining rows on the last page', () => {
    expect(slicePage(rows, 1, 25)).toEqual({ rows: [25], first: 25, page: 1, pages: 2 })
  })

  it('falls back to the last page if the requested one no longer exists', () => {
    expect(slicePage(rows.slice(0, 25), 1, 25)).toMatchObject({ page: 0, pages: 1, first: 0 })
  })

  it('has one page for all rows, and one empty page for no rows', () => {
    expect(slicePage(rows, 3, 'all')).toMatchObject({ page: 0, pages: 1, first: 0 })
    expect(slicePage([], 0, 10)).toEqual({ rows: [], first: 0, page: 0, pages: 1 })
  })
})
