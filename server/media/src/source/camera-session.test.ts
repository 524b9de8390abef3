import { describe, expect, test } from 'vitest'
import type { StreamMessage, TrackConfig } from '../frame/index.ts'
import {
  type CameraFaultKind,
  type CameraHabits,
  type CameraState,
  fault,
  keepCameraConnected,
  retryDelay,
} from './index.ts'

const tracks: readonly TrackConfig[] = [
  { kind: 'video', codec: 'h264', codecString: 'avc1.42c01e', width: 640, height: 360, parameterSets: [] },
]

interface Run {
  readonly cause: CameraFaultKind
  /** How long pictures arrived; if omitted, none did. */
  readonly onlineMs?: number
}

/** Plays the runs one after another with its own clock, then stops. */
async function session(runs: readonly Run[], habits: CameraHabits = {}) {
  let now = 0
  const stop = new AbortController()
  const states: CameraState[] = []
  const published: StreamMessage[] = []
  const left = [...runs]
  await keepCameraConnected({
    play: async (publish, signal) => {
      const run = left.shift()
      if (run === undefined) {
        stop.abort()
        expect(signal.aborted).toBe(true)
        return fault('closed', 'stopped')
      }
      if (run.onlineMs !== undefined) publish({ kind: 'tracks', tracks })
      now += run.onlineMs ?? 0
      return fault(run.cause, 'as the test says')
    },
    publish: (message) => published.push(message),
    onState: (state) => states.push(state),
    signal: stop.signal,
    random: () => 0.5,
    wait: async (ms) => {
      now += ms
    },
    monotonic: () => now,
    now: () => now,
    habits,
  })
  const delays = states.flatMap((state) => (state.kind === 'offline' ? [state.retryInMs] : []))
  return { states, published, delays }
}

const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item)

test('the first retry comes within a second, later ones after longer delays of up to ten seconds', async () => {
  const { delays } = await session(times(8, { cause: 'badReply' }))
  expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000, 8000])
})

test('an unreachable camera is retried often enough to be back within three seconds', async () => {
  const { delays } = await session(times(6, { cause: 'unreachable' }))
  expect(Math.max(...delays)).toBe(2000)
})

test('a wrong password is tried three times, then after 5, 15 and 60 minutes, so that the camera locks nobody out', async () => {
  const rejected = { cause: 'credentialsIncorrect' as const }
  const { delays } = await session(times(7, rejected))
  const minute = 60_000
  expect(delays).toEqual([500, 1000, 5 * minute, 15 * minute, 60 * minute, 60 * minute, 60 * minute])
  const between = await session([rejected, rejected, { cause: 'unreachable' }, rejected])
  expect(between.delays[3]).toBe(5 * minute)
  const accepted = await session([rejected, rejected, { cause: 'closed', onlineMs: 100 }, rejected])
  expect(accepted.delays[3]).toBe(500)
})

test('a wrong password that was tried before the start is tried when it would have been, and what was tried still counts', async () => {
  const rejected = { cause: 'credentialsIncorrect' as const }
  const minute = 60_000
  const habits: CameraHabits = {}
  await session([rejected, rejected, rejected], habits)
  expect(habits.rejections?.count).toBe(3)
  habits.rejections = { count: 3, retryAt: 4 * minute }
  expect((await session([rejected], habits)).delays).toEqual([4 * minute, 15 * minute])
  // A clock that was set back by years.
  habits.rejections = { count: 9, retryAt: 1e12 }
  expect((await session([{ cause: 'closed', onlineMs: 100 }, rejected], habits)).delays).toEqual([
    75 * minute,
    500,
    500,
  ])
  expect(habits.rejections?.count).toBe(1)
})

test('a steady run resets the delay; a camera that drops every connection is retried more and more slowly', async () => {
  const steady = await session([
    ...times(5, { cause: 'badReply' as const }),
    { cause: 'closed', onlineMs: 60_000 },
    { cause: 'badReply' },
  ])
  expect(steady.delays.slice(5)).toEqual([500, 1000])
  const flapping = await session(times(6, { cause: 'desync', onlineMs: 100 }))
  expect(flapping.delays).toEqual([500, 1000, 2000, 4000, 5000, 5000])
})

test('states report connecting, online with tracks, and offline with cause; a run that had pictures is ended', async () => {
  const { states, published } = await session([{ cause: 'unreachable' }, { cause: 'silent', onlineMs: 5000 }])
  expect(states.map((state) => state.kind)).toEqual([
    'connecting',
    'offline',
    'connecting',
    'online',
    'offline',
    'connecting',
  ])
  expect(states[3]).toEqual({ kind: 'online', tracks })
  expect(states[4]).toMatchObject({ cause: { kind: 'silent' } })
  expect(published).toEqual([
    { kind: 'tracks', tracks },
    { kind: 'ended', cause: 'silent' },
  ])
})

test('an abort ends the wait', async () => {
  const stop = new AbortController()
  const started = performance.now()
  const kept = keepCameraConnected({
    play: async () => fault('badReply', 'no'),
    publish: () => undefined,
    onState: (state) => {
      if (state.kind === 'offline') setTimeout(() => stop.abort(), 5)
    },
    signal: stop.signal,
    random: () => 1,
  })
  await kept
  expect(performance.now() - started).toBeLessThan(400)
})

describe('the delay', () => {
  const kinds: readonly CameraFaultKind[] = [
    'unreachable',
    'closed',
    'silent',
    'timeout',
    'desync',
    'badReply',
    'streamNotFound',
    'busy',
  ]

  test.each(kinds)('%s: at most a second at first and ten seconds later, with any random number', (kind) => {
    for (const random of [0, 0.3, 0.999_999]) {
      expect(retryDelay(1, kind, random)).toBeLessThanOrEqual(1000)
      expect(retryDelay(1, kind, random)).toBeGreaterThan(0)
      for (let attempt = 1; attempt < 2000; attempt *= 2)
        expect(retryDelay(attempt, kind, random)).toBeLessThanOrEqual(10_000)
    }
  })

  test("is spread, so that a thousand cameras behind one switch don't reconnect at once", () => {
    expect(retryDelay(4, 'badReply', 0)).toBe(3200)
    expect(retryDelay(4, 'badReply', 1)).toBe(4800)
  })
})

test('a run that we end has our reason, not that the camera closed it', async () => {
  const stop = new AbortController()
  const published: StreamMessage[] = []
  await keepCameraConnected({
    play: async (publish) => {
      publish({ kind: 'tracks', tracks })
      stop.abort('restart')
      return fault('closed', 'stopped by the server')
    },
    publish: (message) => published.push(message),
    onState: () => undefined,
    signal: stop.signal,
  })
  expect(published.at(-1)).toEqual({ kind: 'ended', cause: 'restart' })
})
