import { expect, test } from 'vitest'
import type { RunEnd } from '../recording/index.ts'
import { type FormerPlan, gapsToFill, isSoundKept, type LoggedRun, maySync, type SyncFacts } from './sync-plan.ts'

const NOON = Date.UTC(2026, 2, 1, 12)
const SECOND = 1000
const run = (from: number, to: number, why: RunEnd | null = null, isOpen = false): LoggedRun => ({
  start: NOON + from * SECOND,
  end: NOON + to * SECOND,
  isOpen,
  why,
})
const plan = {
  mode: 'armed',
  recordingMode: 'continuous',
  recordingSpans: [],
  timeZone: 'UTC',
  microphone: true,
} as const
const facts = (runs: readonly LoggedRun[], more: Partial<SyncFacts> = {}): SyncFacts => ({
  runs,
  plan,
  formerPlans: [],
  tried: [],
  since: 0,
  now: NOON + 3600 * SECOND,
  ...more,
})
const seconds = (given: SyncFacts) =>
  gapsToFill(given).map(({ start, end, why }) => [(start - NOON) / SECOND, (end - NOON) / SECOND, why])

test('a gap that the network, the camera or the server caused is filled, the newest first', () => {
  const runs = [
    run(0, 100, 'network'),
    run(130, 200, 'cameraOffline'),
    run(260, 300, 'restart'),
    run(320, 3600, null, true),
  ]
  expect(seconds(facts(runs))).toEqual([
    [300, 320, 'restart'],
    [200, 260, 'cameraOffline'],
    [100, 130, 'network'],
  ])
})

test('what people decided stays a gap: mode, schedule, events only, deleted', () => {
  for (const why of ['mode', 'schedule', 'noEvent', 'deleted'] as const)
    expect(seconds(facts([run(0, 100, why), run(200, 3600, null, true)]))).toEqual([])
})

test('a mark in a gap changes its cause from there on', () => {
  const runs = [run(0, 100, 'network'), run(150, 150, 'mode'), run(200, 3600, null, true)]
  expect(seconds(facts(runs))).toEqual([[100, 150, 'network']])
})

test('gaps of the time before a device took the camera’s place are left alone: its card has other footage', () => {
  const runs = [run(0, 100, 'network'), run(130, 200, 'cameraOffline'), run(260, 3600, null, true)]
  expect(seconds(facts(runs, { since: NOON + 150 * SECOND }))).toEqual([[200, 260, 'cameraOffline']])
})

test('a gap that nothing follows, and one that ended less than a minute ago, are left alone', () => {
  expect(seconds(facts([run(0, 100, 'network')]))).toEqual([])
  const runs = [run(0, 100, 'network'), run(130, 170, null, true)]
  expect(seconds(facts(runs, { now: NOON + 189 * SECOND }))).toEqual([])
  expect(seconds(facts(runs, { now: NOON + 190 * SECOND }))).toEqual([[100, 130, 'network']])
})

test('footage that overlaps leaves no gap, and what was tried is not tried again', () => {
  expect(seconds(facts([run(0, 100, 'network'), run(50, 200, null), run(200, 3600, null, true)]))).toEqual([])
  const runs = [run(0, 100, 'network'), run(130, 3600, null, true)]
  const tried = [{ start: NOON + 100 * SECOND, end: NOON + 130 * SECOND }]
  expect(seconds(facts(runs, { tried }))).toEqual([])
})

test('nothing of a private span comes in, although the camera was offline before and after', () => {
  const runs = [run(0, 100, 'cameraOffline'), run(400, 3600, null, true)]
  const armed: FormerPlan = { ...plan, until: NOON + 150 * SECOND }
  const hidden: FormerPlan = { ...plan, mode: 'private', until: NOON + 300 * SECOND }
  expect(seconds(facts(runs, { formerPlans: [armed, hidden] }))).toEqual([
    [300, 400, 'cameraOffline'],
    [100, 150, 'cameraOffline'],
  ])
})

test('sound is kept of times when the microphone was on, whatever it is now', () => {
  const off: FormerPlan = { ...plan, microphone: false, until: NOON + 150 * SECOND }
  const on: FormerPlan = { ...plan, until: NOON + 300 * SECOND }
  const plans = { plan: { ...plan, microphone: false }, formerPlans: [off, on] }
  expect([100, 200, 400].map((at) => isSoundKept(plans, NOON + at * SECOND))).toEqual([false, true, false])
})

test('of a scheduled camera, only times in its schedule', () => {
  const runs = [run(0, 60, 'network'), run(600, 3600, null, true)]
  const spans: SyncFacts['plan']['recordingSpans'] = [{ days: ['sun'], from: '12:02', to: '12:05' }]
  const scheduled = { ...plan, mode: 'scheduled' as const, recordingSpans: spans }
  expect(seconds(facts(runs, { plan: scheduled }))).toEqual([[120, 300, 'network']])
})

test('only for cameras that record continuously and are armed or scheduled', () => {
  const modes = ['armed', 'scheduled', 'silent', 'disarmed', 'private'] as const
  expect(modes.filter((mode) => maySync({ mode, recordingMode: 'continuous' }))).toEqual(['armed', 'scheduled'])
  expect(maySync({ mode: 'armed', recordingMode: 'event' })).toBe(false)
})
