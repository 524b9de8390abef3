import { findOwner } from '@sightline/media/control'
import { expect, test } from 'vitest'
import { KeyAssignment } from './key-assignment.ts'

const WORKERS = ['media-1', 'media-2', 'media-3']
const cameraOf = (workerId: string): number => {
  for (let cameraId = 1; ; cameraId++) if (findOwner(cameraId, WORKERS) === workerId) return cameraId
}

test('while all workers serve their cameras, each gets the keys of its own cameras and of no others', () => {
  const assignment = new KeyAssignment()
  for (const workerId of WORKERS) assignment.join(workerId, () => true)
  for (const owner of WORKERS)
    expect(WORKERS.filter((workerId) => assignment.isAssigned(cameraOf(owner), workerId))).toEqual([owner])
})

test('the cameras of a worker that may be gone are anyone’s who would take them over', () => {
  const assignment = new KeyAssignment()
  for (const workerId of WORKERS) assignment.join(workerId, () => workerId !== 'media-2')
  const cameraId = cameraOf('media-2')
  const successor = findOwner(cameraId, ['media-1', 'media-3'])
  expect(WORKERS.filter((workerId) => assignment.isAssigned(cameraId, workerId)).toSorted()).toEqual(
    ['media-2', successor].toSorted(),
  )
})

test('a worker that is alone gets the keys of all cameras, also while it starts', () => {
  const assignment = new KeyAssignment()
  expect(assignment.isAssigned(7, 'media-1')).toBe(true)
})
