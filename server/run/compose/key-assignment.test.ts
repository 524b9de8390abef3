import { findOwner } from '@sightline/media/control'
import { expect, test } from 'vitest'
import { KeyAssignment } from './key-assignment.ts'

const WORKERS = ['media-1', 'media-2', 'media-3']
const cameraOf = (workerId: string): number => {
  for (let cameraId = 1; ; cameraId++) if (findOwner(cameraId, WORKERS) === workerId) return cameraId
}

test('while all workers serve their cameras, each gets the keys of its own cameras and of no others', () => {
  const assignment = new KeyAssignment()
  for (const workerId of WORKERS) assignment.join(workerId, { disk: 'disk', isCertain: () => true })
  for (const owner of WORKERS)
    expect(WORKERS.filter((workerId) => assignment.isAssigned(cameraOf(owner), workerId))).toEqual([owner])
})

test('the cameras of a worker that may be gone are anyone’s who would take them over', () => {
  const assignment = new KeyAssignment()
  for (const workerId of WORKERS) assignment.join(workerId, { disk: 'disk', isCertain: () => workerId !== 'media-2' })
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

test('one worker of each machine keeps the footage of a camera on its disk', () => {
  const assignment = new KeyAssignment()
  const disks = { 'media-1': 'disk', 'north-1': 'north', 'north-2': 'north' }
  for (const [workerId, disk] of Object.entries(disks)) assignment.join(workerId, { disk, isCertain: () => true })
  for (const cameraId of [1, 2, 3, 4, 5, 6]) {
    const keepers = Object.keys(disks).filter((workerId) => assignment.isKeeper(cameraId, workerId))
    expect(keepers).toEqual(['media-1', findOwner(cameraId, ['north-1', 'north-2'])])
  }
})

test('a worker of a machine that reaches a camera gets its keys, and one of another machine only while that machine may be gone', () => {
  let isCertain = true
  const assignment = new KeyAssignment({ machinesOf: (cameraId) => (cameraId === 7 ? ['north'] : []) })
  assignment.join('media-1', { disk: 'disk', isCertain: () => true })
  assignment.join('north-1', { disk: 'north', isCertain: () => isCertain })
  assignment.join('south-1', { disk: 'south', isCertain: () => true })
  const assigned = () => ['media-1', 'north-1', 'south-1'].filter((id) => assignment.isAssigned(7, id))
  expect(assigned()).toEqual(['north-1'])
  isCertain = false
  expect(assigned()).toEqual(['north-1', findOwner(7, ['media-1', 'south-1'])].toSorted())
  assignment.leave('north-1')
  expect(assigned()).toEqual([findOwner(7, ['media-1', 'south-1'])])
})
