import { expect, test } from 'vitest'
import { type RecordingPlan, RecordingSwitch, reasonNotToRecord, recordsOnEvents } from './recording-switch.ts'

const MONDAY = Date.parse('2026-11-23T08:59:30Z')
const plan = (mode: RecordingPlan['mode']): RecordingPlan => ({
  mode,
  recordingMode: 'continuous',
  recordingSpans: [{ days: ['mon'], from: '09:00', to: '17:00' }],
  timeZone: 'UTC',
})

test.each([
  ['armed', undefined],
  ['silent', undefined],
  ['disarmed', 'mode'],
  ['private', 'mode'],
  ['scheduled', 'schedule'],
] as const)('a camera that is %s outside of its schedule is not recorded because of: %s', (mode, reason) => {
  expect(reasonNotToRecord(plan(mode), MONDAY)).toBe(reason)
})

test('a scheduled camera is recorded within its spans, in the time of its zone', () => {
  expect(reasonNotToRecord(plan('scheduled'), MONDAY + 30_000)).toBeUndefined()
  expect(reasonNotToRecord({ ...plan('scheduled'), timeZone: 'America/Chicago' }, MONDAY + 30_000)).toBe('schedule')
})

test.each([
  ['armed', 'continuous', 'event', false],
  ['armed', 'event', undefined, true],
  ['scheduled', 'event', undefined, true],
  ['scheduled', 'event', 'continuous', false],
  ['scheduled', 'continuous', 'event', true],
] as const)(
  'a camera that is %s and records %s, with a span of type %s, records only events: %s',
  (mode, recordingMode, type, expected) => {
    const spans = [{ days: ['mon' as const], from: '08:00', to: '17:00', ...(type && { type }) }]
    expect(recordsOnEvents({ mode, recordingMode, recordingSpans: spans, timeZone: 'UTC' }, MONDAY)).toBe(expected)
  },
)

test('each stop has its reason, and recording continues when the last one is gone', async () => {
  let now = MONDAY
  using recording = new RecordingSwitch(plan('armed'), () => now)
  const first = recording.off
  recording.set(plan('disarmed'))
  expect(first.reason).toBe('mode')
  recording.set(plan('scheduled'))
  expect(recording.reason).toBe('schedule')
  let isOn = false
  const stop = new AbortController()
  const resumed = recording.untilOn(stop.signal).then(() => {
    isOn = true
  })
  await Promise.resolve()
  expect(isOn).toBe(false)
  now += 30_000
  recording.set(plan('scheduled'))
  await resumed
  expect([recording.reason, recording.off.aborted]).toEqual([undefined, false])
})

test('a recorder that ends does not wait for its time', async () => {
  using recording = new RecordingSwitch(plan('disarmed'), () => MONDAY)
  const stop = new AbortController()
  const waiting = recording.untilOn(stop.signal)
  stop.abort()
  await waiting
  expect(recording.reason).toBe('mode')
})
