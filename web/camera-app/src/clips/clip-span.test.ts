import { expect, test } from 'vitest'
import { nextStart, readTimes, spanProblem, suggestSpan } from './clip-span.ts'

const timeZone = 'Europe/Amsterdam'
const noon = Date.UTC(2026, 10, 20, 11, 0)
const HOUR = 3_600_000

test('a minute before and after what is watched is suggested, and nothing that is still to come', () => {
  expect(suggestSpan({ watched: noon + 20_000 }, { now: noon + HOUR, timeZone })).toEqual({
    fields: { from: '2026-11-20T11:59:00', till: '2026-11-20T12:02:00' },
    span: { from: noon - 60_000, till: noon + 120_000 },
  })
  const live = suggestSpan({ watched: undefined }, { now: noon + 10_000, timeZone })
  expect(live.fields).toEqual({ from: '2026-11-20T11:58:00', till: '2026-11-20T12:01:00' })
})

test('a range that is selected in the timeline is suggested to the second', () => {
  const marked = { from: noon + 7000, till: noon + 90_000 }
  expect(suggestSpan({ watched: noon, marked }, { now: noon + HOUR, timeZone })).toEqual({
    fields: { from: '2026-11-20T12:00:07', till: '2026-11-20T12:01:30' },
    span: marked,
  })
})

const suggested = suggestSpan({ watched: noon }, { now: noon + HOUR, timeZone })

test('the times are those of the camera’s clock', () => {
  const fields = { from: '2026-11-20T12:00:05', till: '2026-11-20T12:05:00' }
  expect(readTimes(fields, timeZone, suggested)).toEqual({ from: noon + 5000, till: noon + 300_000 })
})

test('while a field is empty there are no times', () => {
  expect(readTimes({ from: '', till: '2026-11-21T00:00:00' }, timeZone, suggested)).toBeUndefined()
})

test.each([
  [0, 0, 'The end must be after the start'],
  [0, 12 * HOUR + 1000, 'A clip can be up to 12 hours long'],
  [0, 12 * HOUR, undefined],
  [0, 1000, undefined],
] as const)('from %i to %i: %s', (from, till, problem) => {
  expect(spanProblem({ from: noon + from, till: noon + till })).toBe(problem)
})

/** Clocks go from 03:00 CEST back to 02:00 CET. */
const back = Date.UTC(2026, 9, 25, 1)

test.each([
  ['the first', back - HOUR / 2],
  ['the second', back + HOUR / 2],
])('in %s of two hours that clocks show alike, a changed second stays in that hour', (_, watched) => {
  const marked = { from: watched, till: watched + 60_000 }
  const opened = suggestSpan({ watched, marked }, { now: noon, timeZone })
  expect(opened.fields).toEqual({ from: '2026-10-25T02:30:00', till: '2026-10-25T02:31:00' })
  expect(readTimes(opened.fields, timeZone, opened)).toEqual(marked)
  const changed = { from: '2026-10-25T02:30:05', till: '2026-10-25T02:30:40' }
  expect(readTimes(changed, timeZone, opened)).toEqual({ from: watched + 5000, till: watched + 40_000 })
})

test('an end that clocks show twice is the one after the start', () => {
  const second = { from: back + HOUR / 2, till: back + HOUR / 2 + 60_000 }
  const opened = suggestSpan({ watched: undefined, marked: second }, { now: noon, timeZone })
  const earlier = { from: opened.fields.from, till: '2026-10-25T02:59:59' }
  expect(readTimes(earlier, timeZone, opened)).toEqual({ from: second.from, till: back + HOUR - 1000 })
  const first = suggestSpan({ watched: back - 2 * HOUR }, { now: noon, timeZone })
  expect(readTimes({ from: '2026-10-25T01:00:00', till: '2026-10-25T02:10:00' }, timeZone, first)).toEqual({
    from: back - 2 * HOUR,
    till: back - 50 * 60_000,
  })
})

test('a file that ends early is followed by another one from there', () => {
  const span = { from: Date.parse('2026-11-26T10:00:00Z'), till: Date.parse('2026-11-26T11:00:00Z') }
  expect(nextStart(span, '2026-11-26T10:20:00.000+00:00')).toBe(Date.parse('2026-11-26T10:20:00Z'))
  expect(nextStart(span, '2026-11-26T11:00:00.000+00:00')).toBeUndefined()
  expect(nextStart(span, undefined)).toBeUndefined()
})
