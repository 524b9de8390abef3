import type { TrackPoint } from '@sightline/contract/body-cameras'
import { expect, test } from 'vitest'
import { drawTrack, trackShapes } from './track-drawing.ts'

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
  expect(drawing?.spots[0]).toEqual({ x: 300, y: 360 })
  expect(drawing?.spots[1]?.y).toBeCloseTo(40)
  const east = drawTrack([at(0, 0, 0), at(1, 0, 0.01)], BOX)
  expect(east?.spots[0]?.x).toBeCloseTo(40)
  expect(east?.spots[1]?.x).toBeCloseTo(560)
})

test('the scale is in metres', () => {
  // 0.01 degrees of latitude are 1,112 m, drawn over 320.
  expect(drawTrack([at(0, 52, 4), at(1, 52.01, 4)], BOX)?.metresPerUnit).toBeCloseTo(1112 / 320, 2)
})

test('a camera that stays in one place is a point in the middle, with a scale of some metres', () => {
  const drawing = drawTrack([at(0, 52, 4), at(1, 52, 4)], BOX)
  expect(drawing?.spots).toEqual([
    { x: 300, y: 200 },
    { x: 300, y: 200 },
  ])
  expect(drawing?.metresPerUnit).toBeCloseTo(20 / 320)
})

test('five minutes without a position are a gap in the line', () => {
  const points = [at(0, 52, 4), at(5, 52.001, 4), at(11, 52.002, 4), at(12, 52.003, 4)]
  expect(drawTrack(points, BOX)?.lines.map((line) => line.split(' ').length)).toEqual([2, 2])
})

test('across the date line the track goes the short way', () => {
  const drawing = drawTrack([at(0, 0, 179.999), at(1, 0, -179.999)], BOX)
  expect(drawing?.spots[1]?.x).toBeGreaterThan(drawing?.spots[0]?.x ?? 0)
  expect((drawing?.metresPerUnit ?? 0) * BOX.width).toBeLessThan(1000)
})

test('without positions there is nothing to draw', () => {
  expect(drawTrack([], BOX)).toBeUndefined()
})

test('on a map, gaps are not joined, and the ends are marked above the other positions', () => {
  const points = [at(0, 52, 4), at(5, 52.001, 4), at(11, 52.002, 4), at(12, 52.003, 4)]
  const { lines, dots } = trackShapes(points, points)
  expect(lines.map((line) => line.map(({ latitude }) => latitude))).toEqual([
    [52, 52.001],
    [52.002, 52.003],
  ])
  expect(dots.map(({ kind }) => kind)).toEqual(['between', 'between', 'first', 'last'])
  expect(dots.at(-1)?.place.latitude).toBe(52.003)
})

test('on a map, a single position is the last one', () => {
  const points = [at(0, 52, 4)]
  expect(trackShapes(points, points).dots).toEqual([{ place: points[0], kind: 'last' }])
})
