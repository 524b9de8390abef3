import { beforeEach, describe, expect, test } from 'vitest'
import { nearestViewLevel, spanOfLevel, viewLevels } from './levels.ts'
import { TimelineModel } from './model.ts'
import { DAY, HOUR, MINUTE, SECOND, spanLength } from './span.ts'
import { zoneClock } from './zone-clock.ts'

const now = Date.UTC(2026, 10, 27, 12)
const timeZone = 'Europe/Amsterdam'
const clock = zoneClock(timeZone)
const today = spanOfLevel('day', now, { clock, now })

describe('the range of a timeline', () => {
  let model: TimelineModel
  beforeEach(() => {
    model = new TimelineModel({ span: today, timeZone, now })
    model.setWidth(1000)
  })

  test('from a year to a second and back, the time under the pointer stays there', () => {
    model.setLevel('year')
    const time = model.timeAt(400)
    for (let n = 0; n < 200; n += 1) model.zoomBy(0.85, 400)
    expect(spanLength(model.span)).toBe(SECOND)
    expect(Math.abs(model.timeAt(400) - time)).toBeLessThan(1)
    for (let n = 0; n < 200; n += 1) model.zoomBy(1 / 0.85, 400)
    expect(spanLength(model.span)).toBe(366 * DAY)
    expect(Math.abs(model.timeAt(400) - time)).toBeLessThan(1000)
  })
  test('panning goes on over midnight, and the present is its end', () => {
    model.panBy(-3000)
    expect(model.span.from).toBe(today.from - 3 * DAY)
    model.panBy(100_000)
    expect(model.span.from).toBeLessThan(now)
    expect(model.xOf(now)).toBeGreaterThan(0)
  })
  test('levels are shown around what is watched, and their button is pressed', () => {
    model.setPlayhead(now - 40 * DAY)
    for (const level of viewLevels) {
      model.setLevel(level)
      expect(nearestViewLevel(model.span), level).toBe(level)
      expect(model.xOf(now - 40 * DAY), level).toBeGreaterThanOrEqual(0)
      expect(model.xOf(now - 40 * DAY), level).toBeLessThanOrEqual(1000)
    }
  })
  test('the day of a clock change has 25 hours', () => {
    expect(spanLength(spanOfLevel('day', Date.UTC(2026, 9, 25, 12), { clock, now }))).toBe(25 * HOUR)
    expect(nearestViewLevel(spanOfLevel('day', Date.UTC(2026, 9, 25, 12), { clock, now }))).toBe('day')
  })
  test('what plays into the edge is followed over midnight; who looks elsewhere stays there', () => {
    const midnight = today.from
    model.show({ from: midnight - HOUR, till: midnight + MINUTE })
    for (let time = midnight - MINUTE; time <= midnight + 5 * MINUTE; time += SECOND) {
      model.setPlayhead(time)
      expect(model.xOf(time)).toBeGreaterThanOrEqual(0)
      expect(model.xOf(time)).toBeLessThanOrEqual(1000)
    }
    model.show({ from: midnight - 3 * DAY, till: midnight - 2 * DAY })
    const { span } = model
    for (let n = 0; n < 10; n += 1) model.setPlayhead(midnight + 6 * MINUTE + n * SECOND)
    expect(model.span).toBe(span)
  })
  test('a click near the edge does not move the range', () => {
    model.setPlayhead(today.from + HOUR)
    const { span } = model
    model.setPlayhead(now - MINUTE)
    expect(model.span).toBe(span)
  })
  test('live, a short range moves with the present', () => {
    model.show({ from: now - MINUTE, till: now + SECOND })
    for (let n = 1; n < 60; n += 1) model.setNow(now + n * SECOND)
    expect(model.xOf(now + 59 * SECOND)).toBeGreaterThan(500)
    expect(model.xOf(now + 59 * SECOND)).toBeLessThanOrEqual(1000)
  })
  test('a fling slows down and ends; a pan ends it at once', () => {
    model.fling(-2)
    const start = model.span.from
    let frames = 0
    while (model.isMoving && frames < 1000) {
      model.advance(16)
      frames += 1
    }
    expect(frames).toBeGreaterThan(10)
    expect(frames).toBeLessThan(200)
    expect(model.span.from).toBeLessThan(start)
    model.fling(-2)
    model.panBy(0)
    expect(model.isMoving).toBe(false)
  })
  test('a leap year fits', () => {
    const leap = new TimelineModel({ span: today, timeZone, now: Date.UTC(2028, 11, 31, 12) })
    leap.setWidth(1000)
    leap.setLevel('year')
    expect(leap.span.from).toBeLessThanOrEqual(Date.UTC(2028, 0, 20))
  })
})
