import { expect, onTestFinished, test, vi } from 'vitest'
import { DROPPED_MS, SubStreamGate } from './sub-stream-gate.ts'

const settled = async (promise: Promise<unknown>) =>
  await Promise.race([promise.then(() => 'open'), new Promise((resolve) => setImmediate(resolve, 'closed'))])

test('a sub-stream is connected only while the main stream is', async () => {
  using gate = new SubStreamGate()
  const { signal } = new AbortController()
  const waiting = gate.untilOpen(signal)
  expect(await settled(waiting)).toBe('closed')
  gate.isMainOnline = true
  expect(await settled(waiting)).toBe('open')
  expect(await settled(gate.untilOpen(signal))).toBe('open')
  gate.isMainOnline = false
  expect(await settled(gate.untilOpen(signal))).toBe('closed')
})

test('a dropped sub-stream is given up at once, and tried again after an hour', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  using gate = new SubStreamGate()
  gate.isMainOnline = true
  const { dropped } = gate
  gate.drop()
  expect(dropped.aborted).toBe(true)
  expect(gate.dropped.aborted).toBe(false)
  const { signal } = new AbortController()
  const waiting = gate.untilOpen(signal)
  vi.advanceTimersByTime(DROPPED_MS - 1)
  expect(await settled(waiting)).toBe('closed')
  vi.advanceTimersByTime(1)
  // Who waited is woken, not only who asks again.
  expect(await settled(waiting)).toBe('open')
})

test('waiting ends when the camera is no longer wanted', async () => {
  using gate = new SubStreamGate()
  const over = new AbortController()
  const waiting = gate.untilOpen(over.signal)
  over.abort()
  expect(await settled(waiting)).toBe('open')
})
