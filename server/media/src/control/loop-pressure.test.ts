import { expect, test } from 'vitest'
import { LoopPressure } from './loop-pressure.ts'
import { streamSessions } from './stream-sessions.ts'
import { arrangeSessions, NO_LIMITS } from './stream-sessions-stage.ts'

/** Looks, each so many milliseconds later than it was due. */
function looked(lateness: readonly number[]) {
  const pressure = new LoopPressure(0)
  let now = 0
  const gone = lateness.map((late) => {
    now += 250 + late
    return pressure.look(now)
  })
  return { pressure, now, gone }
}

test('a loop that keeps up is not late', () => {
  const { pressure, now, gone } = looked([0, 10, 200, 499, 0])
  expect(pressure.isLate(now)).toBe(false)
  expect(gone).not.toContain(true)
})

test('a loop that was half a second late is late for another second, and then no more', () => {
  const { pressure, now } = looked([0, 500])
  expect(pressure.isLate(now)).toBe(true)
  for (const later of [250, 500, 750]) expect(pressure.look(now + later)).toBe(false)
  expect(pressure.isLate(now + 750)).toBe(true)
  pressure.look(now + 1000)
  expect(pressure.isLate(now + 1000)).toBe(false)
})

test('a look that is overdue makes it late before the look is made', () => {
  const { pressure, now } = looked([0])
  expect(pressure.isLate(now + 700)).toBe(false)
  expect(pressure.isLate(now + 800)).toBe(true)
})

test('viewers have to go when it is very late twice in a row, not after one sleep of the machine', () => {
  expect(looked([60_000, 0, 0]).gone).toEqual([false, false, false])
  expect(looked([1000, 600, 1000]).gone).toEqual([false, false, false])
  expect(looked([1000, 1000, 1500, 0]).gone).toEqual([false, true, true, false])
})

test('a worker that is late opens nothing and uses up no ticket; when viewers have to go, the newest quarter does', async () => {
  await using a = await arrangeSessions()
  let isLate = false
  let press: () => void = () => undefined
  const watchLoop = (onPressure: () => void) => {
    press = onPressure
    return { isLate: () => isLate, [Symbol.dispose]: () => undefined }
  }
  await using sessions = streamSessions({
    ...{ queries: a.queries, now: Date.now, limits: NO_LIMITS, agreementVersion: async () => '1', watchLoop },
  })
  const wanted = { cameraId: a.cameraId, from: undefined, address: '::1' }
  await a.addTicket('late', 'owner', 'live')
  isLate = true
  expect(await sessions.open({ ...wanted, credential: { ticket: 'late' } })).toEqual({ ok: false, code: 16 })
  isLate = false
  const opened = [await sessions.open({ ...wanted, credential: { ticket: 'late' } })]
  for (let n = 0; n < 8; n++) opened.push(await sessions.open({ ...wanted, credential: { accessToken: 'owner' } }))
  press()
  const reasons = opened.map((one) => one.ok && one.session.signal.reason)
  expect(reasons).toEqual([...Array.from({ length: 6 }, () => undefined), 16, 16, 16])
  expect(sessions.size).toBe(6)
})
