import { reportInput } from '@sightline/contract/reports'
import { describe, expect, it } from 'vitest'
import { newReport, reportBody, reportRules } from './report-form.ts'

const rules = reportRules('2026-07-10')
const overDays = (from: string, till: string) => rules.till(till, newReport({ from, till }))

describe('a new report', () => {
  it('covers 1 to 31 days up to today, both included', () => {
    expect(overDays('2026-07-10', '2026-07-10')).toBeUndefined()
    expect(overDays('2026-06-10', '2026-07-10')).toBeUndefined()
    expect(overDays('2026-06-09', '2026-07-10')).toBe('Choose at most 31 days')
    expect(overDays('2026-07-10', '2026-07-11')).toBe("The dates can't be in the future")
    expect(overDays('2026-07-10', '2026-07-09')).toBe("The end date can't be before the start date")
    expect(overDays('', '2026-07-09')).toBe('Choose a start and end date')
  })

  it('needs a time of day only if it repeats', () => {
    const once = { ...newReport({ from: '2026-07-09', till: '2026-07-09' }), at: '' }
    expect(rules.at('', once)).toBeUndefined()
    expect(rules.at('', { ...once, every: 'day' })).toBe('Choose a time')
  })

  it('is requested as the contract defines, with a schedule only if it repeats', () => {
    const days = { from: '2026-07-01', till: '2026-07-09' }
    const once = reportBody(newReport(days))
    expect(reportInput.parse(once)).toEqual({ type: 'cameraUptime', ...days, format: 'pdf' })
    const weekly = reportBody({ ...newReport(days), every: 'week', at: '06:30', format: 'csv' })
    expect(reportInput.parse(weekly)).toMatchObject({ format: 'csv', schedule: { every: 'week', at: '06:30' } })
  })
})
