import { silentLogger } from '@sightline/platform/log'
import { expect, test } from 'vitest'
import { CameraAdmission, LateShare, type WorkerLoad } from './camera-admission.ts'

const busy = { lateMs: 400, share: 0.8 }
const calm = { lateMs: 0, share: 0.1 }
const between = { lateMs: 150, share: 0.5 }
const load = { hasViewers: false, heldShare: 0.6 }
const never = new AbortController().signal

/** Of cameras 1 to `count`, added in any order, after these windows. */
function after(
  windows: readonly (typeof busy)[],
  { count = 16, ...given }: { count?: number } & Partial<WorkerLoad> = {},
) {
  const admission = new CameraAdmission(silentLogger)
  const ids = Array.from({ length: count }, (_, index) => index + 1)
  for (const id of ids.toReversed()) admission.join(id)
  for (const window of windows) admission.looked(window, { ...load, ...given })
  const connected = async () => {
    const places = await Promise.all(
      ids.map(async (id) => {
        const entering = admission.enter(id, never)
        admission.looked({ lateMs: 0, share: undefined }, load)
        return (await entering) === undefined ? [] : [id]
      }),
    )
    return places.flat()
  }
  return { admission, connected }
}

const times = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value)
const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1)

test('a worker that keeps up connects all of its cameras and has no problem', async () => {
  const { admission, connected } = after([calm, between, calm])
  expect(await connected()).toEqual(upTo(16))
  expect([admission.refused, admission.problem]).toEqual([0, undefined])
})

test('a worker that is late all the time lets a quarter of its cameras go, those that were added last, until it keeps up', async () => {
  const once = after([calm, busy])
  expect(await once.connected()).toEqual(upTo(12))
  expect(once.admission.problem).toContain('carries 12 of its 16 cameras')
  // What follows a change says nothing: connections end, and what has arrived is read.
  expect(await after([calm, busy, busy]).connected()).toEqual(upTo(12))
  expect(await after([calm, busy, busy, busy]).connected()).toEqual(upTo(9))
  expect(await after([calm, busy, busy, busy, between, between]).connected()).toEqual(upTo(9))
})

test('its start says nothing about the load, nor does one long pause, and one camera always stays', async () => {
  expect(await after([busy]).connected()).toEqual(upTo(16))
  expect(await after(times(60, busy)).connected()).toEqual([1])
  const paused = new LateShare(0)
  const shares = [60_000, ...Array.from({ length: 95 }, (_, index) => 60_000 + 100 * (index + 1))]
    .map((now) => paused.look(now).share)
    .filter((share) => share !== undefined)
  expect(shares).toHaveLength(1)
  expect(shares[0]).toBeLessThan(0.3)
})

test('turns of a third of a second are overload, turns of a tenth are not', () => {
  const shareOf = (turnMs: number) => {
    const late = new LateShare(0)
    for (let now = turnMs; ; now += turnMs) {
      const { share } = late.look(now)
      if (share !== undefined) return share
    }
  }
  expect(shareOf(330)).toBeGreaterThan(0.6)
  expect(shareOf(110)).toBeLessThan(0.4)
})

test('a worker that is far too late lets half of its cameras go', async () => {
  expect(await after([calm, { lateMs: 900, share: 0.9 }]).connected()).toEqual(upTo(8))
})

test('viewers have to go before any camera', async () => {
  expect(await after(times(5, busy), { hasViewers: true }).connected()).toEqual(upTo(16))
})

test('lateness costs no camera while its pictures are recorded, nor while what has piled up is being written', async () => {
  expect(await after(times(5, busy), { heldShare: 0.3 }).connected()).toEqual(upTo(16))
  const { admission, connected } = after([calm])
  for (const heldShare of [0.9, 0.8, 0.7, 0.6]) admission.looked(busy, { hasViewers: false, heldShare })
  expect(await connected()).toEqual(upTo(12))
  expect(admission.refused).toBe(4)
})

test('an overloaded worker disconnects the camera added last, connects no new one, and gives a free place to the next', async () => {
  const { admission } = after([calm])
  const [first, last] = [await admission.enter(1, never), await admission.enter(16, never)]
  admission.looked(busy, load)
  expect([first?.aborted, last?.aborted]).toEqual([false, true])
  admission.join(17)
  expect(await admission.enter(17, never)).toBeUndefined()
  admission.leave(1)
  admission.looked({ lateMs: 0, share: undefined }, load)
  // The next in line takes the place.
  const next = await admission.enter(13, never)
  expect(next?.aborted).toBe(false)
})

test('after a calm minute some cameras are tried again, and after a try that failed it takes twice as long', async () => {
  const shed = [calm, busy, calm]
  expect(await after([...shed, ...times(5, calm)]).connected()).toEqual(upTo(12))
  expect(await after([...shed, ...times(6, calm)]).connected()).toEqual(upTo(13))
  expect(await after([...shed, ...times(24, calm)]).connected()).toEqual(upTo(16))
  expect(after([...shed, ...times(24, calm)]).admission.problem).toBeUndefined()
  const failed = [...shed, ...times(6, calm), busy, calm]
  expect(await after([...failed, ...times(11, calm)]).connected()).toEqual(upTo(9))
  expect(await after([...failed, ...times(12, calm)]).connected()).toEqual(upTo(10))
})

test('hundreds of cameras connect a few at a time, one at a time while the worker is late, and one that stops waits no more', async () => {
  const admission = new CameraAdmission(silentLogger)
  const stopping = new AbortController()
  let entered = 0
  for (let id = 1; id <= 30; id++) {
    admission.join(id)
    void admission.enter(id, stopping.signal).then(() => entered++)
  }
  const settled = async () => {
    await new Promise(setImmediate)
    return entered
  }
  expect(await settled()).toBe(8)
  admission.looked({ lateMs: 400, share: undefined }, load)
  expect(await settled()).toBe(9)
  admission.looked({ lateMs: 0, share: undefined }, load)
  expect(await settled()).toBe(17)
  stopping.abort()
  expect(await settled()).toBe(30)
})
