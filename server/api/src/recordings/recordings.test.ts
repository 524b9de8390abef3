import { instant } from '@sightline/platform/db'
import { describe, expect, test } from 'vitest'
import { testApi } from '../slice-testing.ts'
import { recordings } from './index.ts'
import { cutAtLocks, joinSlices, type StoredRunSlice, toTimeline } from './rules.ts'

const slice = (start: number, end: number, more: Partial<StoredRunSlice> = {}): StoredRunSlice => ({
  start,
  end,
  isOpen: false,
  type: 'continuous',
  storage: 'cloud',
  origin: 'camera',
  locked: false,
  endReason: null,
  ...more,
})
const question = { from: 0, till: 100_000, resolutionMs: 0, now: 200_000, before: undefined }
const at = (ms: number) => new Date(ms).toISOString().replace('Z', '+00:00')

test('a stretch is cut where locks begin and end', () => {
  const locks = [
    { start: -10, end: 10 },
    { start: 20, end: 30 },
    { start: 25, end: 40 },
    { start: 90, end: 200 },
  ]
  const pieces = cutAtLocks({ start: 0, end: 100 }, locks)
  expect(pieces.map(({ start, end, locked }) => [start, end, locked])).toEqual([
    [0, 10, true],
    [10, 20, false],
    [20, 30, true],
    [30, 40, true],
    [40, 90, false],
    [90, 100, true],
  ])
  expect(cutAtLocks({ start: 5, end: 5 }, locks)).toEqual([{ start: 5, end: 5, locked: false }])
})

describe('a timeline', () => {
  test('adjoining slices form one segment', () => {
    expect(joinSlices([slice(0, 1000), slice(1040, 2000)], 100)).toEqual([slice(0, 2000)])
  })
  test("a locked segment isn't joined to an unlocked one", () => {
    expect(joinSlices([slice(0, 1000), slice(1000, 2000, { locked: true })], 100)).toHaveLength(2)
  })
  test('a gap says why the footage before it stopped', () => {
    const timeline = toTimeline([slice(0, 40_000, { endReason: 'cameraOffline' }), slice(60_000, 100_000)], question)
    expect(timeline.gaps).toEqual([{ start: at(40_000), end: at(60_000), reason: 'cameraOffline' }])
  })
  test('segments are cut at the ends of the span', () => {
    const timeline = toTimeline([slice(-5000, 150_000)], question)
    expect(timeline.segments).toMatchObject([{ start: at(0), end: at(100_000) }])
    expect(timeline.gaps).toEqual([])
  })
  test('a gap at the start of the span has the reason from before the span', () => {
    const before = { end: -5000, endReason: 'restart' }
    const timeline = toTimeline([slice(30_000, 100_000)], { ...question, before })
    expect(timeline.gaps).toEqual([{ start: at(0), end: at(30_000), reason: 'restart' }])
  })
  test("time before the first footage and in the future isn't a gap", () => {
    expect(toTimeline([slice(50_000, 60_000, { isOpen: true })], { ...question, now: 61_000 }).gaps).toEqual([])
  })
  test('footage that ended leaves a gap up to now, not beyond', () => {
    const timeline = toTimeline([slice(0, 40_000, { endReason: 'disk' })], { ...question, now: 70_000 })
    expect(timeline.gaps).toEqual([{ start: at(40_000), end: at(70_000), reason: 'disk' }])
  })
  test("an empty slice says why recording couldn't start and isn't footage", () => {
    const slices = [slice(0, 40_000, { endReason: 'stopped' }), slice(50_000, 50_000, { endReason: 'disk' })]
    const timeline = toTimeline([...slices, slice(80_000, 100_000)], question)
    expect(timeline.segments).toHaveLength(2)
    expect(timeline.gaps).toEqual([
      { start: at(40_000), end: at(50_000), reason: 'stopped' },
      { start: at(50_000), end: at(80_000), reason: 'disk' },
    ])
  })

  test('the same reason again extends one gap', () => {
    const slices = [
      slice(0, 40_000, { endReason: 'cameraOffline' }),
      slice(50_000, 50_000, { endReason: 'cameraOffline' }),
    ]
    expect(toTimeline([...slices, slice(80_000, 100_000)], question).gaps).toEqual([
      { start: at(40_000), end: at(80_000), reason: 'cameraOffline' },
    ])
  })

  test('of two overlapping stretches the one that ends last says why nothing follows', () => {
    const slices = [slice(0, 40_000, { endReason: 'network' }), slice(10_000, 20_000, { endReason: 'takeover' })]
    expect(toTimeline([...slices, slice(80_000, 100_000)], question).gaps).toEqual([
      { start: at(40_000), end: at(80_000), reason: 'network' },
    ])
  })

  test('breaks shorter than the resolution are shown as footage', () => {
    const slices = [slice(0, 40_000, { endReason: 'network' }), slice(42_000, 100_000)]
    expect(toTimeline(slices, { ...question, resolutionMs: 5000 }).segments).toHaveLength(1)
    expect(toTimeline(slices, { ...question, resolutionMs: 1000 }).segments).toHaveLength(2)
  })
})

describe('GET cameras/{cameraId}/recordingTimeline', () => {
  test('returns the footage of the span and needs the right playback and access to the camera', async () => {
    await using api = await testApi({ slices: [recordings] })
    const { accountId, token, zoneId } = await api.addAccount()
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    api.now = Date.UTC(2026, 0, 2)
    const noon = Date.UTC(2026, 0, 1, 12)
    const row = { account_id: accountId, camera_id: cameraId, stream: 'main' as const, is_open: false }
    await api.owner.plain
      .insertInto('recording_runs')
      .values([
        { ...row, run_id: 'a', started_at: instant(noon), ended_at: instant(noon + 60_000), end_reason: 'network' },
        {
          ...row,
          run_id: 'b',
          started_at: instant(noon + 90_000),
          ended_at: instant(noon + 120_000),
          end_reason: 'stopped',
        },
      ])
      .execute()
    const span = `from=2026-01-01T12:00:00Z&till=2026-01-01T13:02:00%2B0100`
    const path = `cameras/${cameraId}/recordingTimeline?${span}`
    expect((await api.call(token, `GET ${path}`)).body).toEqual({
      from: at(noon),
      till: at(noon + 120_000),
      segments: [
        {
          start: at(noon),
          end: at(noon + 60_000),
          type: 'continuous',
          storage: 'cloud',
          origin: 'camera',
          locked: false,
        },
        {
          start: at(noon + 90_000),
          end: at(noon + 120_000),
          type: 'continuous',
          storage: 'cloud',
          origin: 'camera',
          locked: false,
        },
      ],
      gaps: [{ start: at(noon + 60_000), end: at(noon + 90_000), reason: 'network' }],
    })
    const guard = await api.addSubUser(accountId, { rights: [], allCameras: true })
    expect((await api.call(guard.token, `GET ${path}`)).body).toMatchObject({ code: 9 })
    const stranger = await api.addAccount()
    expect((await api.call(stranger.token, `GET ${path}`)).body).toMatchObject({ code: 4 })
    const backwards = `cameras/${cameraId}/recordingTimeline?from=2026-01-02T00:00:00Z&till=2026-01-01T00:00:00Z`
    expect((await api.call(token, `GET ${backwards}`)).body).toMatchObject({ code: 3 })
  })
})
