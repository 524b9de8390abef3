import type { TrackPoint } from '@sightline/contract/body-cameras'
import { expect, test } from 'vitest'
import { drawTrack } from './track-drawing.ts'

const BOX = { width: 600, height: 400, margin: 40 }
const at = (minute: number, latitude: number, longitude: number): TrackPoint => ({
  time: new Date(minute * 60_000).toISOString(),
  latitude,
  longitude,
  heading: null,
  speed: null,
})

test('north is up and east is right, and the track fills the box up to its margin', () => {
  const drawing = drawTrack([at(0, 52, 4), at(1, 52.01, 4)], BOX)
  expect(drawing?.first).toEqual({ x: 300, y: 360 })
  expect(drawing?.last.y).toBeCloseTo(40)
  const east = drawTrack([at(0, 0, 0), at(1, 0, 0.01)], BOX)
  expect(east?.first.x).toBeCloseTo(40)
  expect(east?.last.x).toBeCloseTo(560)
})

test('the scale bar is a round length that takes at most a third of the width', () => {
  // 0.01 degrees of latitude are 1,112 m.
  const drawing = drawTrack([at(0, 52, 4), at(1, 52.01, 4)], BOX)
  expect(drawing?.scale.metres).toBe(500)
  expect(drawing?.scale.width).toBeCloseTo((500 * 320) / 1112, 0)
})

test('a camera that stays in one place is a point in the middle, with a scale of some metres', () => {
  const drawing = drawTrack([at(0, 52, 4), at(1, 52, 4)], BOX)
  expect([drawing?.first, drawing?.last]).toEqual([
    { x: 300, y: 200 },
    { x: 300, y: 200 },
  ])
  expect(drawing?.scale.metres).toBe(10)
})

test('five minutes without a position are a gap in the line', () => {
  const points = [at(0, 52, 4), at(5, 52.001, 4), at(11, 52.002, 4), at(12, 52.003, 4)]
  expect(drawTrack(points, BOX)?.lines.map((line) => line.split(' ').length)).toEqual([2, 2])
})

test('across the date line the track goes the short way', () => {
  const drawing = drawTrack([at(0, 0, 179.999), at(1, 0, -179.999)], BOX)
  expect(drawing?.last.x).toBeGreaterThan(drawing?.first.x ?? 0)
  expect(drawing?.scale.metres).toBeLessThan(1000)
})

test('without positions there is nothing to draw', () => {
  expect(drawTrack([], BOX)).toBeUndefined()
})
