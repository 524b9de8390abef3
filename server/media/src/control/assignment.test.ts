import { expect, test } from 'vitest'
import { findOwner } from './assignment.ts'

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
