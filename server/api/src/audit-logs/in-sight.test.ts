import { expect, test } from 'vitest'
import { inSight } from './in-sight.ts'

const visible = { cameraIds: [1, 2], zoneIds: [10], deviceIds: [] }

test('ids of cameras and zones out of scope are left out, alone and in lists, however deep', () => {
  const line = {
    cameraIds: [1, 3],
    zoneIds: [11],
    zoneId: 11,
    name: 'Door',
    access: [{ cameraId: 3, zoneId: 10 }, { cameraId: null }],
  }
  expect(inSight(line, visible)).toEqual({
    cameraIds: [1],
    zoneIds: [],
    name: 'Door',
    access: [{ zoneId: 10 }, { cameraId: null }],
  })
})

test('a user with access to everything reads everything', () => {
  expect(inSight({ cameraIds: [1, 3] }, undefined)).toEqual({ cameraIds: [1, 3] })
})
