import type { ScheduleSpan, Weekday } from '@sightline/contract/schedules'
import { describe, expect, test } from 'vitest'
import {
  emptyPlan,
  isSamePlan,
  MINUTES_PER_DAY,
  partsOfDay,
  toPlan,
  toSpans,
  withCopiedDay,
  withPaint,
} from './week-plan.ts'

const all: Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const span = (days: Weekday[], from: string, to: string, type?: ScheduleSpan['type']): ScheduleSpan => ({
  days,
  from,
  to,
  ...(type === undefined ? {} : { type }),
})

describe('a week plan', () => {
  test.each([
    ['ordinary', [span(['mon', 'tue'], '09:07', '17:31')]],
    ['over midnight', [span(['fri'], '22:00', '06:00')]],
    ['from Sunday into Monday', [span(['sun'], '22:00', '06:00', 'event')]],
    ['to the end of a day', [span(['wed'], '18:00', '24:00')]],
    ['all week', [span(all, '00:00', '24:00', 'continuous')]],
    [
      'two types side by side',
      [span(['mon'], '08:00', '12:00', 'continuous'), span(['mon'], '12:00', '13:00', 'event')],
    ],
    ['nothing', []],
  ])('keeps the minutes of spans: %s', (_, spans) => {
    expect(toSpans(toPlan(spans))).toEqual(spans)
  })

  test('has a span of a whole day from noon as one that crosses midnight', () => {
    const [noon] = toSpans(toPlan([span(['mon'], '12:00', '12:00')]))
    expect(noon).toEqual(span(['mon'], '12:00', '12:00'))
  })

  test('painted over several days has pieces that meet at midnight', () => {
    const plan = withPaint(emptyPlan, { start: 12 * 60, end: 3 * MINUTES_PER_DAY, paint: 'on' })
    expect(toSpans(plan)).toEqual([span(['mon'], '12:00', '24:00'), span(['tue', 'wed'], '00:00', '24:00')])
  })

  test('painted over replaces what was there, so spans never overlap', () => {
    const before = toPlan([span(['mon'], '08:00', '18:00', 'continuous')])
    const plan = withPaint(before, { start: 10 * 60, end: 11 * 60, paint: 'event' })
    expect(toSpans(plan)).toEqual([
      span(['mon'], '08:00', '10:00', 'continuous'),
      span(['mon'], '10:00', '11:00', 'event'),
      span(['mon'], '11:00', '18:00', 'continuous'),
    ])
    expect(isSamePlan(withPaint(plan, { start: 10 * 60, end: 11 * 60, paint: 'continuous' }), before)).toBe(true)
  })

  test('with a copied day has its times, and those alone, on the others', () => {
    const plan = toPlan([span(['mon'], '09:00', '17:00'), span(['sat'], '01:00', '02:00')])
    expect(toSpans(withCopiedDay(plan, 'mon', ['tue', 'sat']))).toEqual([span(['mon', 'tue', 'sat'], '09:00', '17:00')])
  })

  test('shows a night on both of its days', () => {
    const plan = toPlan([span(['sun'], '22:00', '06:00')])
    expect(partsOfDay(plan, 'sun')).toEqual([{ start: 22 * 60, end: MINUTES_PER_DAY, paint: 'on' }])
    expect(partsOfDay(plan, 'mon')).toEqual([{ start: 0, end: 6 * 60, paint: 'on' }])
  })
})
