import { describe, expect, it } from 'vitest'
import { scaleBar, zoneMap } from './zone-map.ts'

const size = { width: 640, height: 360 }
const at = (latitude: number, longitude: number) => ({ latitude, longitude })
const map = (places: readonly { latitude: number; longitude: number }[], apart = 0) =>
  zoneMap(
    places.map((place, thing) => ({ thing, place })),
    size,
    apart,
  )
/** Great-circle metres. */
function distance(a: { latitude: number; longitude: number }, b: { latitude: number; longitude: number }): number {
  const rad = (degrees: number) => (degrees * Math.PI) / 180
  const h =
    Math.sin(rad(b.latitude - a.latitude) / 2) ** 2 +
    Math.cos(rad(a.latitude)) * Math.cos(rad(b.latitude)) * Math.sin(rad(b.longitude - a.longitude) / 2) ** 2
  return 2 * 6_371_008 * Math.asin(Math.sqrt(h))
}

describe('the zone map', () => {
  it('has north up and east to the right, with all zones inside', () => {
    const { marks } = map([at(52.38, 4.9), at(52.36, 4.88)])
    expect(marks[0]?.x).toBeGreaterThan(marks[1]?.x ?? 0)
    expect(marks[0]?.y).toBeLessThan(marks[1]?.y ?? 0)
    for (const { x, y } of marks) {
      expect(x).toBeGreaterThan(0)
      expect(x).toBeLessThan(size.width)
      expect(y).toBeGreaterThan(0)
      expect(y).toBeLessThan(size.height)
    }
  })

  it('keeps distances within a town to a thousandth, also in the far north', () => {
    for (const [a, b] of [
      [at(52.37, 4.89), at(52.4, 4.95)],
      [at(69.6, 18.9), at(69.7, 19.1)],
      [at(-33.87, 151.2), at(-33.8, 151.1)],
    ] as const) {
      const { marks, metresPerUnit } = map([a, b])
      const drawn = Math.hypot((marks[0]?.x ?? 0) - (marks[1]?.x ?? 0), (marks[0]?.y ?? 0) - (marks[1]?.y ?? 0))
      expect((drawn * metresPerUnit) / distance(a, b)).toBeCloseTo(1, 3)
    }
  })

  it('puts neighbours across the date line side by side', () => {
    const { marks, metresPerUnit } = map([at(-17, 179.5), at(-17, -179.5)])
    expect(metresPerUnit * size.width).toBeLessThan(300_000)
    expect(marks[0]?.x).toBeLessThan(marks[1]?.x ?? 0)
  })

  it('shows a single zone in the middle, with its surroundings', () => {
    const { marks, metresPerUnit } = map([at(52.37, 4.89)])
    expect(marks).toEqual([{ x: 320, y: 180, things: [0] }])
    expect(metresPerUnit * size.height).toBeGreaterThanOrEqual(200)
  })

  it('combines overlapping marks', () => {
    const { marks } = map([at(52.37, 4.89), at(52.37, 4.890_01), at(53.2, 6.56)], 24)
    expect(marks.map(({ things }) => things)).toEqual([[0, 1], [2]])
  })

  it('reports if it is so wide that distances are correct only in the middle', () => {
    expect(map([at(52, 4), at(52.5, 5)]).isWide).toBe(false)
    expect(map([at(52, 4), at(-33, 151)]).isWide).toBe(true)
  })

  it('is empty without locations', () => {
    expect(map([]).marks).toEqual([])
  })
})

describe('the scale bar', () => {
  it('is the longest round length that fits', () => {
    expect(scaleBar(1, 120)).toEqual({ metres: 100, length: 100 })
    expect(scaleBar(3, 120)).toEqual({ metres: 200, length: 200 / 3 })
    expect(scaleBar(50, 120)).toEqual({ metres: 5000, length: 100 })
  })
})
