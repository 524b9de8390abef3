import { expect, test } from 'vitest'
import { Membership, UNSEEN_AFTER_MS } from './membership.ts'

const cameras = Array.from({ length: 200 }, (_, index) => index)

/** A worker `a` that starts with `b`; the test says who lives, and moves the clock by seconds. */
function started(peers: readonly string[] = ['b']) {
  const state = { living: ['a', 'b'] as readonly string[] | undefined, now: 0, changes: 0 }
  const membership = new Membership({
    workerId: 'a',
    peers,
    disk: 'disk',
    beat: async () =>
      state.living?.map((workerId) => ({ workerId, disk: 'disk' })) ?? Promise.reject(new Error('no connection')),
    onChange: () => void state.changes++,
    monotonic: () => state.now,
  })
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      state.now += 1000
      await membership.beat().catch(() => undefined)
    }
  }
  return { membership, state, pass, owned: () => cameras.filter((cameraId) => membership.owns(cameraId)).length }
}

const GRACE_S = UNSEEN_AFTER_MS / 1000 + 1

test('a worker takes no camera of one that is still starting', async () => {
  const { state, pass, owned } = started()
  state.living = ['a']
  await pass(3)
  expect(owned()).toBeLessThan(150)
  state.living = ['a', 'b']
  await pass(GRACE_S)
  expect([owned() < 150, state.changes]).toEqual([true, 0])
})

test('it takes the cameras of one that never started, and gives them back when that one comes', async () => {
  const { state, pass, owned } = started()
  state.living = ['a']
  await pass(GRACE_S)
  expect(owned()).toBe(cameras.length)
  state.living = ['a', 'b']
  await pass(1)
  expect(owned()).toBeLessThan(150)
  expect(state.changes).toBe(2)
})

test('an outage of the database changes nothing, also not just after it', async () => {
  const { membership, state, pass, owned } = started()
  await pass(60)
  const before = owned()
  expect(membership.isSteady).toBe(true)
  state.living = undefined
  await pass(600)
  // The others have not been able to say that they live.
  state.living = ['a']
  await pass(2)
  expect(owned()).toBe(before)
  state.living = ['a', 'b']
  await pass(60)
  expect([owned(), state.changes]).toEqual([before, 0])
})

test('one of the workers is the first, and deleting waits after a change', async () => {
  const { membership, state, pass } = started(['b'])
  await pass(20)
  expect([membership.isFirst, membership.isSteady]).toEqual([true, false])
  await pass(20)
  expect(membership.isSteady).toBe(true)
  state.living = ['0', 'a', 'b']
  await pass(1)
  expect([membership.isFirst, membership.isSteady]).toEqual([false, false])
})
