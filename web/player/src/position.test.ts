import { describe, expect, test } from 'vitest'
import { positionMap } from './position.ts'

describe('the time of day of a picture', () => {
  test('counts forward from the last known point before it', () => {
    const map = positionMap()
    map.add(1, 10_000)
    map.add(2, 60_000)
    expect(map.wallclockAt(1.5)).toBe(10_500)
    expect(map.wallclockAt(2)).toBe(60_000)
    expect(map.wallclockAt(3.25)).toBe(61_250)
  })
  test('counts back from the first point for a picture before it', () => {
    const map = positionMap()
    map.add(5, 100_000)
    expect(map.wallclockAt(4.5)).toBe(99_500)
  })
  test('tolerates a media time that a browser rounded down', () => {
    const map = positionMap()
    map.add(1, 10_000)
    map.add(2, 60_000)
    expect(map.wallclockAt(1.999_999)).toBeCloseTo(60_000, 0)
  })
  test('is unknown without a point and after clearing', () => {
    const map = positionMap()
    expect(map.wallclockAt(1)).toBeUndefined()
    map.add(1, 10_000)
    map.clear()
    expect(map.wallclockAt(1)).toBeUndefined()
  })
  test('discards later points when a point at an earlier media time is added', () => {
    const map = positionMap()
    map.add(10, 1000)
    map.add(4, 500_000)
    expect(map.wallclockAt(11)).toBe(507_000)
  })
})
