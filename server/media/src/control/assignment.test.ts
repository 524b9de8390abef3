import { expect, test } from 'vitest'
import { findOwner, listCandidates } from './assignment.ts'

const cameras = Array.from({ length: 1000 }, (_, index) => 2000 + index)
const owners = (workers: readonly string[]) =>
  new Map(cameras.map((cameraId) => [cameraId, findOwner(cameraId, workers)]))

test('cameras are shared out evenly, whatever the order of the workers', () => {
  const found = owners(['media-1', 'media-2', 'media-3'])
  expect(found).toEqual(owners(['media-3', 'media-1', 'media-2']))
  for (const worker of ['media-1', 'media-2', 'media-3']) {
    const share = [...found.values()].filter((owner) => owner === worker).length
    expect(share).toBeGreaterThan(250)
    expect(share).toBeLessThan(420)
  }
})

test('when a worker goes, only its cameras move', () => {
  const before = owners(['media-1', 'media-2', 'media-3'])
  const after = owners(['media-1', 'media-3'])
  for (const cameraId of cameras) {
    if (before.get(cameraId) !== 'media-2') expect(after.get(cameraId)).toBe(before.get(cameraId))
  }
})

test('without a worker a camera has no owner', () => {
  expect(findOwner(2000, [])).toBeUndefined()
})

const WORKERS = [
  { workerId: 'media-1', disk: 'disk' },
  { workerId: 'north-1', disk: 'north' },
  { workerId: 'north-2', disk: 'north' },
]

test('a camera that only some machines reach is assigned to those of them that live, and to any machine if none does', () => {
  expect(listCandidates(WORKERS, ['north'])).toEqual(['north-1', 'north-2'])
  expect(listCandidates(WORKERS, ['north', 'gone'])).toEqual(['north-1', 'north-2'])
  expect(listCandidates(WORKERS, ['front'])).toEqual(['media-1'])
  expect(listCandidates(WORKERS, ['gone'])).toEqual(['media-1', 'north-1', 'north-2'])
  expect(listCandidates(WORKERS, [])).toEqual(['media-1', 'north-1', 'north-2'])
})

test('who serves such a camera also keeps its footage on the disk of its machine', () => {
  const north = WORKERS.filter(({ disk }) => disk === 'north').map(({ workerId }) => workerId)
  for (const cameraId of cameras)
    expect(findOwner(cameraId, listCandidates(WORKERS, ['north']))).toBe(findOwner(cameraId, north))
})
