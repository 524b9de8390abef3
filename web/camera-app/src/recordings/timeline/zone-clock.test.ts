import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from './span.ts'
import { TickTexts, tickStep, ticks } from './ticks.ts'
import { type ZoneClock, zoneClock } from './zone-clock.ts'

const amsterdam = zoneClock('Europe/Amsterdam')
const lordHowe = zoneClock('Australia/Lord_Howe')
/** 2026-10-25 02:00 UTC+1: clocks go from 03:00 CEST back to 02:00 CET. */
const backInAmsterdam = Date.UTC(2026, 9, 25, 1)

const labels = (clock: ZoneClock, from: number, till: number, width = 1000) => {
  const span = { from, till }
  return ticks(span, tickStep(span, width, 76), { clock, texts: new TickTexts(clock, 'en-GB') })
}

describe('the clocks of a zone', () => {
  test('both passes of an hour that clocks show twice are told apart, and only those', () => {
    const half = 30 * MINUTE
    expect(amsterdam.timeText(backInAmsterdam - half)).toBe('02:30 CEST')
    expect(amsterdam.timeText(backInAmsterdam + half)).toBe('02:30 CET')
    expect(amsterdam.timeText(backInAmsterdam - HOUR - half)).toBe('01:30')
    expect(amsterdam.timeText(backInAmsterdam + HOUR + half)).toBe('03:30')
    expect(amsterdam.timeText(backInAmsterdam, true)).toBe('02:00:00 CET')
  })
  test('a time of day with the name of the zone is one of both passes, and none under a name that isn’t used that day', () => {
    const half = 30 * MINUTE
    for (const either of [backInAmsterdam - half, backInAmsterdam + half]) {
      expect(amsterdam.sameIn(either, 'CEST')).toBe(backInAmsterdam - half)
      expect(amsterdam.sameIn(either, 'cet')).toBe(backInAmsterdam + half)
      expect(amsterdam.sameIn(either, 'EST')).toBeUndefined()
    }
    expect(amsterdam.sameIn(backInAmsterdam + 9 * HOUR, 'CET')).toBe(backInAmsterdam + 9 * HOUR)
    expect(amsterdam.sameIn(backInAmsterdam + 9 * HOUR, 'CEST')).toBeUndefined()
  })
  test('in spring nothing is repeated: after 01:59 comes 03:00', () => {
    const forward = Date.UTC(2026, 2, 29, 1)
    expect(amsterdam.timeText(forward - MINUTE)).toBe('01:59')
    expect(amsterdam.timeText(forward)).toBe('03:00')
  })
  test('Lord Howe sets its clocks back by half an hour: only 01:30 to 02:00 is repeated', () => {
    // 2026-04-05, 02:00 LHDT (UTC+11) becomes 01:30 LHST (UTC+10:30).
    const back = Date.UTC(2026, 3, 4, 15)
    const first = lordHowe.timeText(back - 15 * MINUTE)
    const second = lordHowe.timeText(back + 15 * MINUTE)
    expect([first, second].map((text) => text.slice(0, 5))).toEqual(['01:45', '01:45'])
    expect(first).not.toBe(second)
    expect(lordHowe.timeText(back - 45 * MINUTE)).toBe('01:15')
    expect(lordHowe.timeText(back + 30 * MINUTE)).toBe('02:00')
    expect(lordHowe.offsetAt(back - 1)).toBe(11 * HOUR)
    expect(lordHowe.offsetAt(back)).toBe(10.5 * HOUR)
  })
  test('the day of a change has 23 or 25 hours, and midnight is found where it is missing', () => {
    const dayOf = (clock: ZoneClock, ...date: [number, number, number]) =>
      (clock.toTime(Date.UTC(...date) + DAY) - clock.toTime(Date.UTC(...date))) / HOUR
    expect(dayOf(amsterdam, 2026, 2, 29)).toBe(23)
    expect(dayOf(amsterdam, 2026, 9, 25)).toBe(25)
    expect(dayOf(lordHowe, 2026, 3, 5)).toBe(24.5)
    // In Santiago, clocks go from 24:00 to 01:00 on 2026-09-05/06.
    const santiago = zoneClock('America/Santiago')
    expect(santiago.timeText(santiago.toTime(Date.UTC(2026, 8, 6)))).toBe('01:00')
  })
})

describe('the labels of the time axis', () => {
  test('on the day of a change each label is right, and the repeated hour has two', () => {
    const texts = labels(amsterdam, backInAmsterdam - 3 * HOUR, backInAmsterdam + 3 * HOUR, 1000).map(
      ({ text }) => text,
    )
    expect(texts.filter((text) => text.startsWith('02:00'))).toEqual(['02:00 CEST', '02:00 CET'])
    expect(texts).toContain('25 Oct')
    expect(texts).toContain('04:00')
  })
  test('steps of hours stay at full local hours after a change of half an hour', () => {
    const back = Date.UTC(2026, 3, 4, 15)
    for (const { time, isMajor } of labels(lordHowe, back - 6 * HOUR, back + 6 * HOUR)) {
      const local = time + lordHowe.offsetAt(time)
      expect(local % HOUR).toBe(0)
      if (isMajor) expect(local % DAY).toBe(0)
    }
  })
  test('midnight is a label with the date, like any other hour', () => {
    const midnight = amsterdam.toTime(Date.UTC(2026, 10, 27))
    const around = labels(amsterdam, midnight - 2 * HOUR, midnight + 2 * HOUR)
    expect(around.find(({ time }) => time === midnight)).toMatchObject({ text: '27 Nov', isMajor: true })
    expect(around.at(0)?.text).toBe('22:00')
  })
  test('months begin on their first day, also after February of a leap year', () => {
    const from = amsterdam.toTime(Date.UTC(2028, 0, 1))
    const till = amsterdam.toTime(Date.UTC(2029, 0, 1))
    const months = labels(amsterdam, from, till, 1200)
    expect(months).toHaveLength(13)
    expect(months.map(({ time }) => new Date(time + amsterdam.offsetAt(time)).getUTCDate())).toEqual(Array(13).fill(1))
    expect([months[0]?.text, months[2]?.text, months[12]?.text]).toEqual(['2028', 'Mar', '2029'])
  })
  test('a second has labels of tenths', () => {
    const from = Date.UTC(2026, 10, 27, 11)
    expect(labels(amsterdam, from, from + 1000)[3]?.text).toBe('12:00:00.3')
  })
  test.each([360, 1000, 1900])('at %i pixels, every length has from 2 to 30 labels', (width) => {
    const till = Date.UTC(2026, 10, 27)
    for (let length = 1000; length < 366 * DAY; length *= 1.7) {
      const count = labels(amsterdam, till - length, till, width).length
      expect(count, `${length} ms`).toBeGreaterThanOrEqual(1)
      expect(count, `${length} ms`).toBeLessThanOrEqual(30)
    }
  })
})
