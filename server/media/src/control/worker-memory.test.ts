import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CameraToServe } from './store.ts'
import { type WorkerMemory, WorkerMemoryKeeper } from './worker-memory.ts'

const camera = (cameraId: number, name = 'Door'): CameraToServe => ({ cameraId, name }) as CameraToServe

function keeper() {
  const told: WorkerMemory[] = []
  const keys = { prepared: () => new Map() }
  const memory = new WorkerMemoryKeeper({
    remember: (known) => told.push(known),
    keys,
    networks: { assigned: undefined },
    workers: () => [{ workerId: 'media-1', disk: 'disk' }],
  })
  return { told, memory }
}

test('what changes in one turn is reported once, and what did not change is not reported again', async () => {
  const { told, memory } = keeper()
  memory.listed([camera(1), camera(2)])
  memory.opened(1, 'secret')
  memory.leased(1, 7)
  expect(told).toEqual([])
  await setImmediate()
  expect(told).toMatchObject([{ cameras: [{ cameraId: 1 }, { cameraId: 2 }], workers: [{ workerId: 'media-1' }] }])
  expect([told[0]?.passwords.get(1), told[0]?.fences.get(1)]).toEqual(['secret', 7])
  memory.listed([camera(1), camera(2)])
  memory.opened(1, 'secret')
  await setImmediate()
  expect(told).toHaveLength(1)
  memory.listed([camera(1, 'Gate'), camera(2)])
  await setImmediate()
  expect(told).toHaveLength(2)
})

test('nothing is remembered of a camera that is not the worker’s any more, or that needs no password now', async () => {
  const { told, memory } = keeper()
  memory.listed([camera(1), camera(2)])
  for (const id of [1, 2]) {
    memory.opened(id, `secret ${id}`)
    memory.leased(id, 7)
  }
  memory.listed([camera(2)])
  memory.opened(2, undefined)
  await setImmediate()
  expect(told).toHaveLength(1)
  expect([...(told[0]?.fences ?? [])]).toEqual([[2, 7]])
  expect(told[0]?.passwords.size).toBe(0)
})
