import { expect, test } from 'vitest'
import { footage, play } from '../../../../tests/fixtures/footage.ts'
import type { AccessUnit } from '../frame/index.ts'
import { placeCardSound } from './card-sound.ts'

const START = Date.UTC(2026, 2, 1, 12)
const clip = footage('tone16.aac')
const frames = (seconds: number): readonly AccessUnit[] =>
  [...play([clip], { seconds, wallClock: START })].map(({ unit }) => unit)
const place = (units: readonly AccessUnit[], more: { from?: number; after?: number } = {}) =>
  placeCardSound(units, { track: clip.track, start: START, from: 0, after: undefined, ...more })
const FRAME = clip.frameTicks

test('sound is where its packets say, not where it arrived, and frames follow each other without gap or overlap', () => {
  // A replay is faster than real time, and times of a camera are rounded.
  const units = frames(3).map((unit, index) => ({
    ...unit,
    time: 900_000 + index * 7,
    wallClock: unit.wallClock + (index % 3) - 1,
  }))
  const { placed, end } = place(units.slice(1))
  const [first] = placed
  expect(Math.abs((first?.time ?? 0) - FRAME)).toBeLessThan(200)
  expect(placed).toHaveLength(units.length - 1)
  expect(placed.map(({ time }) => time - (first?.time ?? 0))).toEqual(placed.map((_, index) => index * FRAME))
  expect(end).toBe((placed.at(-1)?.time ?? 0) + FRAME)
})

test('frames that came in one packet keep their distance', () => {
  const units = frames(1).map((unit, index) => ({ ...unit, wallClock: START + Math.floor(index / 2) * 128 }))
  const { placed } = place(units)
  expect(placed.map(({ time }) => time)).toEqual(units.map((_, index) => index * FRAME))
})

test('a hole in the sound stays a hole, and sound of before the pictures or that was there already is left out', () => {
  const units = frames(4).filter(({ wallClock }) => wallClock < START + 1000 || wallClock >= START + 2500)
  const { placed } = place(units)
  const times = placed.map(({ time }) => time)
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  expect(steps.filter((step) => step !== FRAME)).toHaveLength(1)
  expect(Math.max(...steps)).toBeGreaterThan(90_000)
  const later = place(units, { from: 45_000, after: 50_000 }).placed[0]
  expect(later?.time).toBeGreaterThanOrEqual(50_000)
})
