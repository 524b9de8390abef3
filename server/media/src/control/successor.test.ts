import { silentLogger } from '@sightline/platform/log'
import { afterEach, expect, test } from 'vitest'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import { createHub } from '../hub/index.ts'
import type { SubStream } from './sub-stream.ts'
import { announceWhenReady } from './successor.ts'

const tracks: readonly TrackConfig[] = [
  { kind: 'video', codec: 'h264', codecString: 'avc1.42c01e', width: 640, height: 360, parameterSets: [] },
]
const picture = (isKey: boolean): AccessUnit => ({ kind: 'video', time: 0, wallClock: 0, isKey, units: [] })

let ending = new AbortController()
afterEach(() => ending.abort())

function successor({ hasSubStream = false } = {}) {
  ending = new AbortController()
  const granted = Promise.withResolvers<unknown>()
  const [hub, sub] = [createHub(), createHub()]
  let announced = 0
  const said = announceWhenReady(
    {
      leases: { announce: async () => void announced++ },
      hub,
      sub: hasSubStream ? ({ hub: sub } as unknown as SubStream) : undefined,
      log: silentLogger,
    },
    granted.promise,
    ending.signal,
  )
  const show = (of: typeof hub, isKey: boolean) => {
    of.publish({ kind: 'tracks', tracks })
    of.publish({ kind: 'unit', track: 0, unit: picture(isKey) })
  }
  return { hub, sub, said, granted, show, announced: () => announced }
}

test('the worker that has a camera is told once there is a key picture to begin with, and again until it lets go', async () => {
  const next = successor()
  next.show(next.hub, false)
  await new Promise(setImmediate)
  expect(next.announced()).toBe(0)
  next.show(next.hub, true)
  await expect.poll(next.announced).toBeGreaterThan(1)
  next.granted.resolve(undefined)
  await new Promise(setImmediate)
  const atGrant = next.announced()
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(next.announced()).toBe(atGrant)
  expect(next.hub.readers).toBe(0)
})

test('a sub-stream is waited for', async () => {
  const next = successor({ hasSubStream: true })
  next.show(next.hub, true)
  await new Promise(setImmediate)
  expect(next.announced()).toBe(0)
  next.show(next.sub, true)
  await expect.poll(next.announced).toBe(1)
})

test('a camera that refuses a second connection is asked for at once', async () => {
  const next = successor()
  next.said.refused()
  await expect.poll(next.announced).toBe(1)
})
