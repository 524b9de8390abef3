import type { DetectionArea } from '@sightline/contract/detectors'
import { describe, expect, test } from 'vitest'
import { COLUMNS, ROWS } from './blocks.ts'
import { TripwireWatch } from './tripwire-watch.ts'

const NOON = Date.UTC(2026, 0, 1, 12)

/** A line from the bottom to the top in the middle of the picture. */
const wire = (change: Partial<DetectionArea> = {}): DetectionArea => ({
  areaId: 3,
  kind: 'tripwire',
  points: [
    [0.5, 1],
    [0.5, 0],
  ],
  direction: 'both',
  enabled: true,
  ...change,
})

/** A body of three by four blocks with its left upper block there. */
const body = (column: number, row = 8): Uint8Array =>
  Uint8Array.from({ length: COLUMNS * ROWS }, (_, block) => {
    const [x, y] = [block % COLUMNS, Math.floor(block / COLUMNS)]
    return x >= column && x < column + 3 && y >= row && y < row + 4 ? 1 : 0
  })

/** The tripwires that are crossed by something that is in those columns one after another. */
function walk(columns: readonly number[], area: DetectionArea, everyMs = 200): readonly number[] {
  const watch = new TripwireWatch()
  watch.tune([area])
  return columns.flatMap((column, at) => watch.add(NOON + at * everyMs, body(column)))
}

const fromLeft = [4, 7, 10, 13, 16, 19, 22]
const fromRight = fromLeft.toReversed()

describe('a tripwire', () => {
  test('is crossed once by what walks over it, in both directions by default', () => {
    expect(walk(fromLeft, wire())).toEqual([3])
    expect(walk(fromRight, wire())).toEqual([3])
  })

  test('counts only what crosses in its direction, seen from its first point', () => {
    expect(walk(fromLeft, wire({ direction: 'leftToRight' }))).toEqual([3])
    expect(walk(fromRight, wire({ direction: 'leftToRight' }))).toEqual([])
    expect(walk(fromRight, wire({ direction: 'rightToLeft' }))).toEqual([3])
    expect(walk(fromLeft, wire({ direction: 'rightToLeft' }))).toEqual([])
  })

  test('is not crossed beside its ends, while disabled, or by what moves on one side of it', () => {
    const above = [
      [0.5, 0.2],
      [0.5, 0],
    ]
    expect(walk(fromLeft, wire({ points: above }))).toEqual([])
    expect(walk(fromLeft, wire({ enabled: false }))).toEqual([])
    expect(walk([4, 7, 10, 7, 4, 7, 10], wire())).toEqual([])
  })

  test('is not crossed by two bodies on its two sides that are seen one after another', () => {
    expect(walk([2, 26, 2, 26], wire())).toEqual([])
  })

  test('is crossed once while the middle of a body goes back and forth over it', () => {
    expect(walk([12, 14, 15, 14, 15, 14, 15, 17], wire())).toEqual([3])
  })

  test('is crossed again by what comes back later', () => {
    expect(walk([...fromLeft, ...fromRight], wire(), 600)).toEqual([3, 3])
  })
})
