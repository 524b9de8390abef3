import { silentLogger } from '@sightline/platform/log'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CameraWarnings, type WarningRecord } from './camera-warnings.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const record = (isActive: boolean, cameraId = 1): WarningRecord => ({
  accountId: 1000,
  cameraId,
  warning: 'clockWrong',
  isActive,
  at: Date.now(),
})

function open() {
  const written: (readonly [number, boolean])[] = []
  const database = { isAway: false }
  const warnings = new CameraWarnings({
    async write({ cameraId, isActive }) {
      if (database.isAway) throw new Error('the database is away')
      written.push([cameraId, isActive])
    },
    log: silentLogger,
  })
  return { warnings, written, database }
}

test('a warning is written when it changes, and once after a start, even if it doesn’t apply', async () => {
  const { warnings, written } = open()
  for (const isActive of [false, false, true, true, false]) {
    warnings.note(record(isActive))
    await vi.advanceTimersByTimeAsync(0)
  }
  expect(written).toEqual([
    [1, false],
    [1, true],
    [1, false],
  ])
})

test('while the database is away the newest of each camera waits', async () => {
  const { warnings, written, database } = open()
  database.isAway = true
  warnings.note(record(false))
  await vi.advanceTimersByTimeAsync(0)
  warnings.note(record(true))
  warnings.note(record(true, 2))
  await vi.advanceTimersByTimeAsync(5000)
  expect(written).toEqual([])
  database.isAway = false
  await vi.advanceTimersByTimeAsync(5000)
  expect(written).toEqual([
    [1, true],
    [2, true],
  ])
})

test('a stop writes what waits', async () => {
  const { warnings, written } = open()
  warnings.note(record(true))
  await warnings[Symbol.asyncDispose]()
  expect(written).toEqual([[1, true]])
})
