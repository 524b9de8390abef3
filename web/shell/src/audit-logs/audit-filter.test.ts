import { describe, expect, it } from 'vitest'
import { filterQuery, filterSearch, isNarrowing, noFilter, parseFilter } from './audit-filter.ts'

const full = {
  from: '2026-10-24',
  till: '2026-10-25',
  people: [7, 8],
  cameras: [9],
  actions: ['login', 'logout'],
  supportOnly: true,
  search: 'Front door',
}

describe('the filter of the audit log', () => {
  it('survives the URL unchanged', () => {
    expect(parseFilter({ ...filterSearch(full) })).toEqual(full)
    expect(parseFilter({ ...filterSearch(noFilter) })).toEqual(noFilter)
    expect(isNarrowing(noFilter)).toBe(false)
    expect(isNarrowing({ ...noFilter, search: 'x' })).toBe(true)
  })

  it('ignores invalid values in the URL', () => {
    expect(
      parseFilter({
        from: '2026-02-31',
        till: 5,
        people: '3,x,-1,3',
        cameras: 4,
        actions: "login,';",
        support: 'true',
      }),
    ).toEqual({ ...noFilter, people: [3], cameras: [4], actions: ['login'] })
    expect(parseFilter({ q: 42 }).search).toBe('42')
    expect(parseFilter({ q: 'x'.repeat(200) }).search).toHaveLength(64)
  })

  it('covers whole days in the account’s time zone, also when clocks change', () => {
    expect(filterQuery(full, 'Europe/Amsterdam')).toEqual({
      from: '2026-10-23T22:00:00.000Z',
      till: '2026-10-25T23:00:00.000Z',
      userIds: '7,8',
      cameraIds: '9',
      actions: 'login,logout',
      staffOnly: 'true',
      q: 'Front door',
    })
    expect(filterQuery(noFilter, 'Europe/Amsterdam')).toEqual({})
  })
})
