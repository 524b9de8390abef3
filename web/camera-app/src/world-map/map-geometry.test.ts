import { describe, expect, test } from 'vitest'
import { enclose, gridLines, nearest, unwrap } from './map-geometry.ts'

const at = (latitude: number, longitude: number) => ({ latitude, longitude })

describe('places on a map', () => {
  test('over the date line, places go on by the short way in both directions', () => {
    const east = unwrap([at(0, 179), at(0, -179), at(0, -178), at(0, 179)])
    expect(east.map(({ longitude }) => longitude)).toEqual([179, 181, 182, 179])
    const west = unwrap([at(0, -179), at(0, 178)])
    expect(west.map(({ longitude }) => longitude)).toEqual([-179, -182])
  })

  test('the area of places has all of them and nothing else', () => {
    expect(enclose([at(52, 4), at(51, 5), at(53, 3)])).toEqual({ south: 51, west: 3, north: 53, east: 5 })
    expect(enclose([at(52, 4)])).toEqual({ south: 52, west: 4, north: 52, east: 4 })
    expect(enclose([])).toBeUndefined()
  })

  test('the nearest spot counts only within reach, and of equal ones the later', () => {
    const spots = [
      { x: 0, y: 0 },
      { x: 30, y: 40 },
      { x: 30, y: 40 },
    ]
    expect(nearest(spots, { x: 3, y: 4 }, 5)).toBe(0)
    expect(nearest(spots, { x: 3, y: 4 }, 4.9)).toBeUndefined()
    expect(nearest(spots, { x: 31, y: 40 }, 5)).toBe(2)
    expect(nearest([], { x: 0, y: 0 }, 5)).toBeUndefined()
  })

  test('the grid has lines at round degrees, some in every area, and none beyond the end of the map', () => {
    const town = gridLines({ south: 52.362, west: 4.881, north: 52.381, east: 4.911 })
    expect(town.map(([from]) => from)).toContainEqual(at(52.365, 4.881))
    expect(town.length).toBeGreaterThanOrEqual(4)
    expect(town.length).toBeLessThan(30)
    const world = gridLines({ south: -89, west: -180, north: 89, east: 180 })
    expect(world.flat().every(({ latitude }) => Math.abs(latitude) <= 85)).toBe(true)
    expect(world.length).toBeLessThan(30)
  })
})
