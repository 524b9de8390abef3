import { describe, expect, test } from 'vitest'
import { addFootage, EVENT, newColumns, toScale } from './columns.ts'
import { type Footage, gapClasses, reasons, type Stretch, toStretches } from './footage.ts'
import { DAY } from './span.ts'
import { FUTURE, rowLayout, Strips } from './strips.ts'

const span = { from: 0, till: 1000 }
const code = (reason: (typeof reasons)[number]) => reasons.indexOf(reason)
const footage = (recorded: readonly Stretch[], gaps: readonly Stretch[] = []): Footage => ({
  recorded: toStretches(recorded),
  gaps: toStretches(gaps),
  events: [],
})

function columnsOf(given: Footage, width = 100, within = span) {
  const columns = newColumns(width)
  addFootage(columns, given, toScale(within, width, 2), within)
  return columns
}

describe('the columns of a row', () => {
  test('a stretch covers its pixels, and what is shorter than a pixel is still visible', () => {
    const { shares } = columnsOf(
      footage([
        { from: 100, till: 300, code: 0 },
        { from: 500, till: 501, code: 0 },
      ]),
    )
    expect([...shares].flatMap((share, x) => (share > 0 ? [x] : []))).toEqual([
      ...Array.from({ length: 20 }, (_, n) => 10 + n),
      50,
      51,
    ])
  })
  test('where gaps meet, the fault is shown and not the plan', () => {
    const { gaps } = columnsOf(
      footage(
        [],
        [
          { from: 0, till: 500, code: code('schedule') },
          { from: 200, till: 201, code: code('disk') },
          { from: 203, till: 204, code: code('network') },
        ],
      ),
    )
    expect(gapClasses[(gaps[20] ?? 0) - 1]).toBe('server')
    expect(gapClasses[(gaps[30] ?? 0) - 1]).toBe('planned')
    expect(gaps[60]).toBe(0)
  })
  test('of a tile only the range in which it is used', () => {
    const columns = newColumns(100)
    addFootage(columns, footage([{ from: 0, till: 1000, code: 0 }]), toScale(span, 100, 2), { from: 300, till: 400 })
    expect(columns.shares.filter((share) => share > 0)).toHaveLength(10)
  })
  test('events are marked where they begin', () => {
    const given = { ...footage([]), events: [{ eventId: 1, type: 'motion' as const, from: 700, till: 700 }] }
    expect([...columnsOf(given).flags].flatMap((flags, x) => ((flags & EVENT) !== 0 ? [x] : []))).toEqual([70, 71])
  })
  test('a day with eight thousand stretches has as many columns as one with two', () => {
    const many = Array.from({ length: 8000 }, (_, n) => ({
      from: (n * DAY) / 8000,
      till: ((n + 0.5) * DAY) / 8000,
      code: 0,
    }))
    const { shares } = columnsOf(footage(many), 500, { from: 0, till: DAY })
    expect(shares.every((share) => share === 255)).toBe(true)
  })
})

describe('how a column looks', () => {
  const colours = { track: 1, recorded: 2, event: 3, fault: 4, pattern: 5, locked: 6, line: 7 }
  const strips = new Strips(rowLayout(40, 1), colours)
  /** The look of eight neighboring columns, so that patterns show. */
  const look = (shown: { share: number; gap: number; flags: number }) =>
    Array.from({ length: 8 }, (_, x) => {
      const place = strips.placeOf(x, shown)
      return strips.pixels.slice(place, place + 40).join('')
    })
  const ofClass = (name: (typeof gapClasses)[number]) => look({ share: 0, gap: 1 + gapClasses.indexOf(name), flags: 0 })

  test('each class of gaps looks different, also to who sees no colors', () => {
    const grey = (columns: readonly string[]) => columns.join('|').replace(/[2-7]/g, '#')
    const looks = [look({ share: 0, gap: 0, flags: 0 }), ...gapClasses.map(ofClass)].map(grey)
    expect(new Set(looks).size).toBe(looks.length)
    expect(new Set(gapClasses.map((name) => ofClass(name).join())).size).toBe(gapClasses.length)
  })
  test('the future is neither recorded nor a gap', () => {
    const future = look({ share: 0, gap: FUTURE, flags: 0 }).join()
    expect(future).toMatch(/7/)
    expect(future).not.toMatch(/[245]/)
  })
  test('a day that is half recorded is half as high', () => {
    const count = (share: number) => (look({ share, gap: 0, flags: 0 })[0]?.match(/2/g) ?? []).length
    expect(count(255)).toBe(30)
    expect(Math.abs(count(128) - 15)).toBeLessThanOrEqual(1)
    expect(count(1)).toBeGreaterThan(0)
  })
})
