import { describe, expect, test } from 'vitest'
import { RunTimeline } from './run-timeline.ts'
import { newCounters } from './stream-counters.ts'

const CAMERA_CLOCK = 1.7e12
const HOUR = 3_600_000

test('sound is aligned with the picture once both have a sender report', () => {
  const run = new RunTimeline(newCounters(), 0)
  const video = run.track('video', 90_000)
  const audio = run.track('audio', 8000)
  expect(video.timeOf(0, { wallClock: 0, monotonic: 500 })).toBe(45_000)
  expect(audio.timeOf(0, { wallClock: 0, monotonic: 500 })).toBe(45_000)
  // The first sample was taken 200 ms after the first picture, though both arrived together.
  video.report({ ssrc: 1, cameraClock: CAMERA_CLOCK, timestamp: 0 }, 500)
  audio.report({ ssrc: 2, cameraClock: CAMERA_CLOCK + 200, timestamp: 0 }, 500)
  expect(audio.timeOf(1600, { wallClock: 0, monotonic: 700 })).toBe(45_000 + 18_000 + 18_000)
  expect(video.timeOf(18_000, { wallClock: 0, monotonic: 700 })).toBe(63_000)
  expect(audio.cameraClockOf(1600)).toBe(CAMERA_CLOCK + 400)
})

test('a sender report before the first packet aligns sound from the beginning', () => {
  const run = new RunTimeline(newCounters(), 0)
  const video = run.track('video', 90_000)
  const audio = run.track('audio', 8000)
  video.report({ ssrc: 1, cameraClock: 5000, timestamp: 0 }, 300)
  audio.report({ ssrc: 2, cameraClock: 5100, timestamp: 0 }, 300)
  expect(video.timeOf(0, { wallClock: 0, monotonic: 300 })).toBe(27_000)
  expect(audio.timeOf(0, { wallClock: 0, monotonic: 300 })).toBe(36_000)
})

test.each([
  ['2000', Date.UTC(2000, 0, 1, 0, 3)],
  ['1970', 60_000],
])(
  'a clock that stands in %s still aligns sound, but says nothing about when a picture was taken',
  (_, cameraClock) => {
    const run = new RunTimeline(newCounters(), 0)
    const video = run.track('video', 90_000)
    const audio = run.track('audio', 8000)
    video.report({ ssrc: 1, cameraClock, timestamp: 0 }, 300)
    audio.report({ ssrc: 2, cameraClock: cameraClock + 100, timestamp: 0 }, 300)
    expect(video.timeOf(0, { wallClock: 0, monotonic: 300 })).toBe(27_000)
    expect(audio.timeOf(0, { wallClock: 0, monotonic: 300 })).toBe(36_000)
    expect([video.cameraClockOf(0), audio.cameraClockOf(0)]).toEqual([undefined, undefined])
  },
)

interface Scene {
  readonly hours: number
  /** Of the sound's clock. */
  readonly ppm?: number
  /** When the camera reports about a track; never by default. */
  readonly reports?: (track: 'video' | 'audio', ms: number) => boolean
  /** By how much the camera's clock is ahead of where it started, in milliseconds. */
  readonly cameraAhead?: (ms: number) => number
  /** By how much the timestamp in a report is wrong, in milliseconds. */
  readonly reportError?: (track: 'video' | 'audio', ms: number) => number
}

/** A camera with steady packets. Returns by how much sound is later than the picture, in milliseconds, second by second. */
function play({
  hours,
  ppm = 0,
  reports = () => false,
  cameraAhead = () => 0,
  reportError = () => 0,
}: Scene): readonly number[] {
  const run = new RunTimeline(newCounters(), 0)
  const [video, audio] = [run.track('video', 90_000), run.track('audio', 8000)]
  const distances: number[] = []
  const timestamp = { video: (ms: number) => ms * 90, audio: (ms: number) => Math.round(ms * 8 * (1 + ppm * 1e-6)) }
  const tracks = { video, audio }
  for (let ms = 1000; ms < hours * HOUR; ms += 1000) {
    for (const [index, track] of (['video', 'audio'] as const).entries()) {
      if (!reports(track, ms)) continue
      const at = timestamp[track](ms + reportError(track, ms)) >>> 0
      // The second report is sent a little after the first.
      const cameraClock = CAMERA_CLOCK + ms + cameraAhead(ms + index)
      tracks[track].report({ ssrc: index, cameraClock, timestamp: at }, ms + index)
    }
    const picture = video.timeOf(timestamp.video(ms) >>> 0, { wallClock: 0, monotonic: ms })
    // Sound takes 30 ms longer on its way.
    const sound = audio.timeOf(timestamp.audio(ms) >>> 0, { wallClock: 0, monotonic: ms + 30 })
    distances.push((sound - picture) / 90)
  }
  return distances
}

const worst = (distances: readonly number[]): number =>
  distances.reduce((most, each) => Math.max(most, Math.abs(each)), 0)
const every = (periodMs: number) => (_: unknown, ms: number) => ms % periodMs === 0

describe('sound whose clock drifts by 300 ppm stays with the picture for 24 hours', () => {
  test.each([
    ['with reports every 5 s', every(5000), 40],
    ['with reports every 70 s', every(70_000), 70],
    ['without any report', undefined, 70],
    ['with one report of each track', (_: unknown, ms: number) => ms === 5000, 70],
    ['with reports that end after an hour', (_: unknown, ms: number) => ms % 5000 === 0 && ms < HOUR, 70],
    [
      'with reports of the picture that end after an hour',
      (track: string, ms: number) => ms % 5000 === 0 && (track === 'audio' || ms < HOUR),
      70,
    ],
  ])('%s', (_, reports, allowedMs) => {
    for (const ppm of [-300, 300])
      expect(worst(play({ hours: 24, ppm, ...(reports && { reports }) }))).toBeLessThanOrEqual(allowedMs)
  })
})

describe('sound is not moved', () => {
  const SET_AT = 60_001
  test.each([-9000, -1500, -400, -150, 150, 400, 1500, 9000, 3_600_000])(
    "by a camera whose clock is set by %i ms between the reports of its tracks, and it's aligned by later reports",
    (byMs) => {
      const cameraAhead = (ms: number) => (ms >= SET_AT ? byMs : 0)
      expect(worst(play({ hours: 0.1, reports: every(5000), cameraAhead }))).toBeLessThanOrEqual(40)
      expect(worst(play({ hours: 24, ppm: 300, reports: every(5000), cameraAhead }))).toBeLessThanOrEqual(40)
    },
  )

  test.each([-9000, -1500, 1500, 9000])('by a clock that is set by %i ms between the first reports', (byMs) => {
    const cameraAhead = (ms: number) => (ms >= 5001 ? byMs : 0)
    expect(worst(play({ hours: 0.1, reports: every(5000), cameraAhead }))).toBeLessThanOrEqual(40)
  })

  test('by a report of the picture that is never followed by another, after the clock was set by half a second', () => {
    const reports = (track: string, ms: number) => ms % 5000 === 0 && (track === 'audio' || ms < 60_000)
    const cameraAhead = (ms: number) => (ms > 60_000 ? 500 : 0)
    expect(worst(play({ hours: 0.1, reports, cameraAhead }))).toBeLessThanOrEqual(40)
  })

  test.each([-9000, -500, 500, 9000])('by one report with a timestamp that is wrong by %i ms', (byMs) => {
    for (const wrong of ['video', 'audio']) {
      const reportError = (track: string, ms: number) => (track === wrong && ms === 60_000 ? byMs : 0)
      expect(worst(play({ hours: 0.1, reports: every(5000), reportError }))).toBeLessThanOrEqual(40)
    }
  })

  test('by reports that begin after a minute and contradict arrival by three seconds', () => {
    const reports = (_: unknown, ms: number) => ms % 5000 === 0 && ms > 60_000
    const reportError = (track: string) => (track === 'audio' ? 3000 : 0)
    expect(worst(play({ hours: 0.1, reports, reportError }))).toBeLessThanOrEqual(40)
  })
})

test('sound is aligned with pictures although the camera begins with four seconds that it had stored', () => {
  const run = new RunTimeline(newCounters(), 0)
  const [video, audio] = [run.track('video', 90_000), run.track('audio', 8000)]
  const START = 10_000
  let picture = 0
  for (let taken = START - 4000; taken < START; taken += 40)
    picture = video.timeOf(taken * 90, { wallClock: 0, monotonic: START })
  for (let ms = START; ms < START + 60_000; ms += 40) {
    picture = video.timeOf(ms * 90, { wallClock: 0, monotonic: ms })
    const sound = audio.timeOf(ms * 8, { wallClock: 0, monotonic: ms })
    if (ms > START + 5000) expect(Math.abs(sound - picture) / 90).toBeLessThanOrEqual(40)
    if (ms % 5000 !== 0) continue
    video.report({ ssrc: 1, cameraClock: CAMERA_CLOCK + ms, timestamp: ms * 90 }, ms)
    audio.report({ ssrc: 2, cameraClock: CAMERA_CLOCK + ms, timestamp: ms * 8 }, ms)
  }
})
