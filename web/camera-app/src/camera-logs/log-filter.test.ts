import { describe, expect, it } from 'vitest'
import { isFiltering, logQuery, parseLogFilter, searchOfCameraLog, wholeLog } from './log-filter.ts'

describe('the filter of a camera’s log', () => {
  it('is read from the URL without invalid values', () => {
    const search = { from: '2026-10-24', till: '2026-10-25', level: 'warning', page: 3 }
    expect(searchOfCameraLog(search)).toEqual(search)
    const wrong = { from: 'x', till: '2026-02-30', level: 'loud', page: -1 }
    expect(parseLogFilter(wrong)).toEqual(wholeLog)
    expect(isFiltering(parseLogFilter(wrong))).toBe(false)
    expect(isFiltering(parseLogFilter(search))).toBe(true)
  })

  it('covers whole days in the account’s time zone, also when clocks change', () => {
    const filter = { from: '2026-10-25', till: '2026-10-25', level: 'error' } as const
    expect(logQuery(filter, 'Europe/Amsterdam')).toEqual({
      from: '2026-10-24T22:00:00.000Z',
      till: '2026-10-25T23:00:00.000Z',
      level: 'error',
    })
    expect(logQuery(wholeLog, 'Europe/Amsterdam')).toEqual({})
  })
})
