import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { type Atlas, toOutlines } from './outlines.ts'

const file = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json')
const atlas = (): Atlas => JSON.parse(readFileSync(file, 'utf8'))

const longest = (line: readonly GeoJSON.Position[]): number =>
  line.reduce((most, [longitude = 0, latitude = 0], at) => {
    const [before = longitude] = line[at - 1] ?? []
    // Along the pole a line may be as long as the map is wide: it is one point there.
    return latitude === -90 ? most : Math.max(most, Math.abs(longitude - before))
  }, 0)

test('no outline of the atlas jumps over the map at the date line, and every ring is closed', () => {
  const { land, borders } = toOutlines(atlas())
  const rings = land.coordinates.flat()
  expect(rings.length).toBeGreaterThan(1000)
  expect(borders.coordinates.length).toBeGreaterThan(150)
  expect(Math.max(...[...rings, ...borders.coordinates].map(longest))).toBeLessThan(30)
  for (const ring of rings) expect(ring[0]).toEqual(ring.at(-1))
})

test('Antarctica reaches the pole, and it alone', () => {
  const atPole = toOutlines(atlas()).land.coordinates.filter(([ring]) => ring?.some(([, latitude]) => latitude === -90))
  expect(atPole).toHaveLength(1)
})
