import { parseDay } from '@sightline/shell/local-day'
import { describe, expect, it } from 'vitest'
import { lastDays, lastMonth } from './days.ts'

describe('days in the account’s time zone', () => {
  it('include today in the last days', () => {
    const late = Date.UTC(2026, 2, 1, 23, 30)
    expect(lastDays(7, late, 'Europe/Amsterdam')).toEqual({ from: '2026-02-24', till: '2026-03-02' })
    expect(lastDays(1, late, 'UTC')).toEqual({ from: '2026-03-01', till: '2026-03-01' })
  })

  it('include the whole previous month, also in January', () => {
    const january = Date.UTC(2026, 0, 15)
    expect(lastMonth(january, 'UTC')).toEqual({ from: '2025-12-01', till: '2025-12-31' })
    expect(lastMonth(Date.UTC(2026, 2, 31, 23, 30), 'Europe/Amsterdam')).toEqual({
      from: '2026-03-01',
      till: '2026-03-31',
    })
  })

  it('are empty for an invalid day in the URL', () => {
    expect(['2026-02-28', '2026-02-30', 'yesterday', 7].map(parseDay)).toEqual(['2026-02-28', '', '', ''])
  })
})
