import { describe, expect, it } from 'vitest'
import { nextSort, searchRows, slicePage, sortRows } from './rows-in-hand.ts'

const names = (rows: readonly { name: string | null }[]) => rows.map((row) => row.name)
const byName = (descending: boolean) => ({ value: (row: { name: string | null }) => row.name, descending })

describe('sorting rows in hand', () => {
  const rows = [{ name: 'Camera 10' }, { name: null }, { name: 'camera 9' }, { name: 'Äpfel' }, { name: '' }]

  it('orders numbers inside texts by their value, and looks past case and accents', () => {
    expect(names(sortRows(rows, byName(false), 'en'))).toEqual(['Äpfel', 'camera 9', 'Camera 10', null, ''])
  })

  it('leaves what is unknown at the end, also downwards', () => {
    expect(names(sortRows(rows, byName(true), 'en'))).toEqual(['Camera 10', 'camera 9', 'Äpfel', null, ''])
  })

  it('compares numbers and switches as such', () => {
    const sorted = sortRows([{ n: 10 }, { n: 9 }], { value: (row) => row.n, descending: false }, '')
    expect(sorted).toEqual([{ n: 9 }, { n: 10 }])
    expect(sortRows([{ on: true }, { on: false }], { value: (row) => row.on, descending: false }, '')[0]).toEqual({
      on: false,
    })
  })

  it('keeps equal rows in their order', () => {
    const equal = [
      { name: 'a', id: 1 },
      { name: 'A', id: 2 },
    ]
    expect(sortRows(equal, byName(true), 'en').map((row) => row.id)).toEqual([1, 2])
  })

  it('goes up, down, and back to how the rows came', () => {
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

describe('searching rows in hand', () => {
  const rows = [{ name: 'Renée Ångström' }, { name: 'Rene Smith' }, { name: 'Ada' }]

  it('wants every word, anywhere, whatever the case and the accents', () => {
    expect(names(searchRows(rows, (row) => row.name, 'ang RENE'))).toEqual(['Renée Ångström'])
    expect(names(searchRows(rows, (row) => row.name, 'rene'))).toEqual(['Renée Ångström', 'Rene Smith'])
  })

  it('finds everything for nothing', () => {
    expect(searchRows(rows, (row) => row.name, '  ')).toBe(rows)
  })
})

describe('pages of rows in hand', () => {
  const rows = Array.from({ length: 26 }, (_, index) => index)

  it('holds so many rows, the last page the rest', () => {
    expect(slicePage(rows, 1, 25)).toEqual({ rows: [25], first: 25, page: 1, pages: 2 })
  })

  it('falls back to the last page where the one asked for is gone', () => {
    expect(slicePage(rows.slice(0, 25), 1, 25)).toMatchObject({ page: 0, pages: 1, first: 0 })
  })

  it('is one page with all of them, and one empty page with none', () => {
    expect(slicePage(rows, 3, 'all')).toMatchObject({ page: 0, pages: 1, first: 0 })
    expect(slicePage([], 0, 10)).toEqual({ rows: [], first: 0, page: 0, pages: 1 })
  })
})
