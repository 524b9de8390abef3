import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { removeTemporaryFolders, TEN_THIRTY, temporaryFolder } from './recording-stage.ts'
import { RetentionClock } from './retention-clock.ts'

afterAll(removeTemporaryFolders)

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A machine with a disk, whose clock can be set. */
async function machine() {
  const store = await temporaryFolder()
  let now = TEN_THIRTY
  let monotonic = 0
  let otherAhead = 0
  return {
    store,
    set: (byMs: number) => (now += byMs),
    setOther: (aheadMs: number) => (otherAhead = aheadMs),
    pass(ms: number) {
      now += ms
      monotonic += ms
    },
    /** @returns what one process thinks of the clock. */
    start() {
      // Each process counts from where it likes.
      const from = monotonic - 5000
      const clock = new RetentionClock({
        store,
        now: () => now,
        monotonic: () => monotonic - from,
        otherClockAheadMs: () => otherAhead,
      })
      return (newestFootage?: number) => clock.check(() => newestFootage)
    },
  }
}

test('a clock that continues from when it was last trusted is trusted, also after a night', async () => {
  const { start, pass } = await machine()
  expect(await start()()).toBe('trusted')
  pass(14 * HOUR)
  const check = start()
  expect(await check()).toBe('trusted')
  pass(40 * DAY)
  expect(await check()).toBe('trusted')
})

test('a start with a clock days ahead is not trusted, however often it is repeated, until the clock is corrected', async () => {
  const { start, pass, set } = await machine()
  expect(await start()()).toBe('trusted')
  set(3 * DAY)
  for (let starts = 0; starts < 10; starts += 1) {
    // By then there is footage of the wrong time.
    const check = start()
    expect(await check(TEN_THIRTY + 3 * DAY)).toBe('unconfirmed')
    pass(HOUR)
    expect(await check(TEN_THIRTY + 3 * DAY)).toBe('unconfirmed')
  }
  const check = start()
  expect(await check()).toBe('unconfirmed')
  set(-3 * DAY)
  expect(await check()).toBe('trusted')
})

test('without a memory, the newest footage says where the clock was', async () => {
  const { start, store } = await machine()
  expect(await start()(TEN_THIRTY - 2 * DAY)).toBe('unconfirmed')
  await writeFile(join(store, 'clock.json'), '{')
  expect(await start()(TEN_THIRTY - 2 * DAY)).toBe('unconfirmed')
  await writeFile(join(store, 'clock.json'), '{')
  expect(await start()(TEN_THIRTY - HOUR)).toBe('trusted')
})

test('a clock that was elsewhere at the start is trusted after a steady day, which may be several starts', async () => {
  const { start, pass, set } = await machine()
  expect(await start()()).toBe('trusted')
  // Off for a month, then on during the day only.
  set(30 * DAY)
  for (let day = 0; day < 2; day += 1) {
    const check = start()
    expect(await check()).toBe('unconfirmed')
    for (let minute = 0; minute < 10 * 60; minute += 1) {
      pass(60_000)
      expect(await check()).toBe('unconfirmed')
    }
    pass(14 * HOUR)
  }
  const check = start()
  for (let minute = 0; minute < 4 * 60; minute += 1) {
    expect(await check()).toBe('unconfirmed')
    pass(60_000)
  }
  pass(5 * 60_000)
  expect(await check()).toBe('trusted')
  expect(await start()()).toBe('trusted')
})

test('a steady day begins again with each jump', async () => {
  const { start, pass, set } = await machine()
  expect(await start()()).toBe('trusted')
  set(30 * DAY)
  const check = start()
  expect(await check()).toBe('unconfirmed')
  pass(20 * HOUR)
  set(2 * HOUR)
  expect(await check()).toBe('unconfirmed')
  pass(20 * HOUR)
  expect(await check()).toBe('unconfirmed')
  pass(5 * HOUR)
  expect(await check()).toBe('trusted')
})

test('a clock that starts behind is trusted once it is set to a time that can follow', async () => {
  const { start, set } = await machine()
  expect(await start()()).toBe('trusted')
  set(-9000 * DAY)
  const check = start()
  expect(await check()).toBe('unconfirmed')
  set(9000 * DAY + HOUR)
  expect(await check()).toBe('trusted')
})

test('a clock that another one disagrees with is never trusted', async () => {
  const { start, pass, setOther } = await machine()
  const check = start()
  expect(await check()).toBe('trusted')
  setOther(-2 * HOUR)
  expect(await check()).toBe('disagrees')
  pass(30 * DAY)
  expect(await check()).toBe('disagrees')
  setOther(1000)
  expect(await check()).toBe('trusted')
})

test('a disk that takes no file leaves the clock as it is', async () => {
  const { start, store } = await machine()
  await writeFile(join(store, 'clock.json.d'), '')
  const clock = new RetentionClock({ store: join(store, 'clock.json.d'), now: () => TEN_THIRTY, monotonic: () => 0 })
  expect(await clock.check(() => undefined)).toBe('trusted')
  expect(await start()()).toBe('trusted')
  expect(await readdir(store)).toEqual(['clock.json', 'clock.json.d'])
})
