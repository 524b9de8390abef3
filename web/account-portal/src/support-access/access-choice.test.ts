import { ALWAYS } from '@sightline/contract/support-access'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  accessPatch,
  accessState,
  type Duration,
  durations,
  localText,
  savedChoice,
  untilProblem,
} from './access-choice.ts'

const NOW = Date.UTC(2026, 10, 21, 12, 0, 30)
const access = (until: number | null, shown = false) => ({
  allowsHelpdeskExpirationDate: until === null ? null : new Date(until).toISOString(),
  allowsHelpdeskShowVideo: shown,
})
const closed = savedChoice(access(null), NOW)

test('an expired grant is closed, one without an end is always', () => {
  expect([null, NOW - 1, NOW, NOW + 1, ALWAYS].map((until) => accessState(access(until), NOW).kind)).toEqual([
    'closed',
    'closed',
    'closed',
    'until',
    'always',
  ])
})

describe('the request', () => {
  test('is empty if nothing changed', () => {
    for (const until of [null, NOW + 90_000, ALWAYS]) {
      const saved = savedChoice(access(until, true), NOW)
      expect(accessPatch(saved, saved, NOW)).toEqual({})
    }
  })

  test.each(Object.keys(durations) as Duration[])('for %s ends that long from now', (duration) => {
    const wish = { ...closed, access: duration }
    expect(accessPatch(wish, closed, NOW)).toEqual({
      allowsHelpdeskExpirationDate: new Date(NOW + durations[duration]).toISOString(),
    })
  })

  test('for always ends in the year 9999, and for disabled is null', () => {
    const always = { ...closed, access: 'always' }
    expect(accessPatch(always, closed, NOW)).toEqual({ allowsHelpdeskExpirationDate: '9999-12-31T23:59:59.000Z' })
    expect(accessPatch(closed, always, NOW)).toEqual({ allowsHelpdeskExpirationDate: null })
  })

  test('for video only does not change the end', () => {
    const saved = savedChoice(access(NOW + 90_500), NOW)
    expect(accessPatch({ ...saved, video: 'shown' }, saved, NOW)).toEqual({ allowsHelpdeskShowVideo: true })
  })

  test('for a chosen time has that time, to the minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: NOW + 60_000, max: Date.UTC(2050, 0) }), (ms) => {
        const wish = { ...closed, access: 'until', until: localText(ms) }
        const sent = Date.parse(accessPatch(wish, closed, NOW).allowsHelpdeskExpirationDate ?? '')
        // When a clock is set back, an hour occurs twice, and a local time field means one of them.
        expect((ms - sent) % 3_600_000).toBeGreaterThanOrEqual(0)
        expect(Math.abs(ms - sent) % 3_600_000).toBeLessThan(60_000)
      }),
    )
  })
})

test('a chosen time is required and must be in the future', () => {
  const until = (text: string) => untilProblem({ ...closed, access: 'until', until: text }, NOW)
  expect(until(localText(NOW + 60_000))).toBeUndefined()
  for (const text of ['', localText(NOW), localText(NOW - 60_000)]) {
    expect(until(text)).toBe('Choose a time in the future')
  }
  expect(untilProblem({ ...closed, access: 'hour' }, NOW)).toBeUndefined()
})
