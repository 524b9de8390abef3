import { reportInput } from '@sightline/contract/reports'
import { describe, expect, it } from 'vitest'
import { daysProblem, localDay, previousMonth, reportBody } from './report-days.ts'

describe('the days of a dealer’s report', () => {
  it('are 1 to 31 days up to today', () => {
    const over = (from: string, till: string) => daysProblem({ from, till }, '2026-07-10')
    expect(over('2026-07-10', '2026-07-10')).toBeUndefined()
    expect(over('2026-06-10', '2026-07-10')).toBeUndefined()
    expect(over('2026-06-09', '2026-07-10')).toBe('Choose at most 31 days')
    expect(over('2026-07-10', '2026-07-11')).toBe("The dates can't be in the future")
    expect(over('', '2026-07-10')).toBe('Choose a start and end date')
  })

  it('are in the reseller’s time zone', () => {
    const now = Date.parse('2026-07-09T22:30:00Z')
    expect(localDay('Europe/Amsterdam', now)).toBe('2026-07-10')
    expect(localDay('America/Chicago', now)).toBe('2026-07-09')
    expect(previousMonth('2026-03-10')).toEqual({ from: '2026-02-01', till: '2026-02-28' })
  })

  it('are requested as the contract defines', () => {
    const values = { from: '2026-07-01', till: '2026-07-09', format: 'pdf' }
    expect(reportInput.parse(reportBody(values))).toEqual({ type: 'billing', ...values })
  })
})
