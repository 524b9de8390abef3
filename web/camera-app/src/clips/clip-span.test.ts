import { expect, test } from 'vitest'
import { fieldProblem, nextStart, readSpan, suggestSpan } from './clip-span.ts'

const timeZone = 'Europe/Amsterdam'
const noon = Date.UTC(2026, 10, 20, 11, 0)

test('a minute before and after what is watched is suggested, and nothing that is still to come', () => {
  const now = noon + 3_600_000
  expect(suggestSpan(noon + 20_000, { now, timeZone })).toEqual({ from: '2026-11-20T11:59', till: '2026-11-20T12:02' })
  expect(suggestSpan(undefined, { now: noon + 10_000, timeZone })).toEqual({
    from: '2026-11-20T11:58',
    till: '2026-11-20T12:01',
  })
})

test('the times are those of the camera’s clock', () => {
  expect(readSpan({ from: '2026-11-20T12:00', till: '2026-11-20T12:05' }, timeZone)).toEqual({
    from: noon,
    till: noon + 300_000,
  })
})

test.each([
  ['2026-11-20T12:00', '2026-11-20T12:00', 'The end must be after the start'],
  ['2026-11-20T12:00', '2026-11-21T00:01', 'A clip can be up to 12 hours long'],
  ['2026-11-20T12:00', '2026-11-21T00:00', undefined],
  ['', '2026-11-21T00:00', undefined],
] as const)('from %s to %s: %s', (from, till, problem) => {
  expect(fieldProblem({ from, till }, timeZone)).toBe(problem)
})

test('a span that is not complete or has a problem is none', () => {
  expect(readSpan({ from: '', till: '2026-11-21T00:00' }, timeZone)).toBeUndefined()
  expect(readSpan({ from: '2026-11-20T12:00', till: '2026-11-20T11:00' }, timeZone)).toBeUndefined()
})

test('a file that ends early is followed by another one from there', () => {
  const span = { from: Date.parse('2026-11-26T10:00:00Z'), till: Date.parse('2026-11-26T11:00:00Z') }
  expect(nextStart(span, '2026-11-26T10:20:00.000+00:00')).toBe(Date.parse('2026-11-26T10:20:00Z'))
  expect(nextStart(span, '2026-11-26T11:00:00.000+00:00')).toBeUndefined()
  expect(nextStart(span, undefined)).toBeUndefined()
})
