import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { footage, play, playTracks } from '../../../../tests/fixtures/footage.ts'
import { clockJumped } from './clock-jump.ts'
import { crc32c } from './crc32c.ts'
import { claimFence } from './fence.ts'
import { parseEntry, verifyManifest } from './manifest.ts'
import { CAMERA, filesBelow, removeTemporaryFolders, stage, TEN_THIRTY, temporaryFolder } from './recording-stage.ts'
import { rotationPhase } from './rotation.ts'
import { streamFolder } from './segment-name.ts'
import { SegmentReader } from './segment-reader.ts'
import { scanSegment } from './segment-scan.ts'
import { SyncGroup } from './sync-group.ts'
import type { LeaseState } from './writer-lease.ts'

afterAll(removeTemporaryFolders)

const hasFfmpeg = spawnSync('ffprobe', ['-version']).status === 0
const clips = () => [footage('main.h264'), footage('tone16.aac')]

/** How many frames of each track ffmpeg decodes; any complaint fails the test. */
function decoded(path: string): readonly number[] {
  const options = ['-v', 'warning', '-count_frames', '-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0', path]
  const run = spawnSync('ffprobe', options, { encoding: 'utf8' })
  expect(run.stderr).toBe('')
  return run.stdout.trim().split('\n').map(Number)
}

const scanned = (paths: readonly string[]) => Promise.all(paths.map((path) => scanSegment(path)))

test('the checksum is CRC-32C (RFC 3720 appendix B.4)', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3_06_92_83)
  expect(crc32c(new Uint8Array(32))).toBe(0x8a_91_36_aa)
  expect(crc32c(Buffer.from('56789'), crc32c(Buffer.from('1234')))).toBe(0xe3_06_92_83)
})

describe('a recording', () => {
  test('contains every picture and sound, in segments of a minute that each begin with a key picture', async () => {
    const set = await stage()
    set.show(...playTracks(clips(), { seconds: 150, wallClock: TEN_THIRTY }))
    await set.stop()
    const paths = await filesBelow(set.store)
    const found = await scanned(paths)
    expect(found.flatMap(({ parts }) => parts.map((part) => part.pictures)).reduce((a, b) => a + b)).toBe(150 * 25)
    expect(found.every(({ parts }) => parts[0]?.isKey)).toBe(true)
    expect(
      found.slice(1, -1).every(({ parts }) => parts.reduce((sum, part) => sum + part.duration, 0) === 60 * 90_000),
    ).toBe(true)
    expect(paths.length).toBe(
      Math.floor((TEN_THIRTY + 148_000 + rotationPhase(CAMERA, 60_000)) / 60_000) -
        Math.floor((TEN_THIRTY + rotationPhase(CAMERA, 60_000)) / 60_000) +
        1,
    )
  })

  test('is cut into parts of at most a second that never contain more than one group of pictures', async () => {
    const set = await stage()
    set.show(...playTracks(clips(), { seconds: 20, wallClock: TEN_THIRTY }))
    await set.stop()
    for (const { parts } of await scanned(await filesBelow(set.store))) {
      for (const part of parts) expect(part.duration).toBeLessThanOrEqual(90_000)
      expect(parts.filter((part) => part.isKey).map((part) => part.time % 180_000)).toEqual(expect.arrayContaining([0]))
    }
  })

  test.skipIf(!hasFfmpeg)(
    'is a playable file: ffmpeg decodes every frame of every segment without errors',
    async () => {
      const set = await stage({ segmentMs: 10_000 })
      set.show(...playTracks(clips(), { seconds: 25, wallClock: TEN_THIRTY }))
      await set.stop()
      const counts = (await filesBelow(set.store)).map(decoded)
      const units = [...play(clips(), { seconds: 25, wallClock: 0 })]
      expect(counts.reduce((sum, count) => sum + (count[0] ?? 0), 0)).toBe(625)
      expect(counts.reduce((sum, count) => sum + (count[1] ?? 0), 0)).toBe(
        units.filter(({ track }) => track === 1).length,
      )
    },
  )

  test('is stored under account, camera, stream, day and hour, with start, fence and id in its name', async () => {
    const set = await stage({ fence: 7 })
    set.show(...playTracks(clips(), { seconds: 3, wallClock: TEN_THIRTY }))
    await set.stop()
    const [path = ''] = await filesBelow(set.store)
    const { header } = (await scanSegment(path)).head
    expect(path).toBe(`${set.store}/1000/2001/main/2026-03-01/10/${TEN_THIRTY}-7-${header.segmentId}.seg`)
    expect(header).toMatchObject({
      ...CAMERA,
      kind: 'continuous',
      fence: 7,
      start: TEN_THIRTY,
      segmentInRun: 0,
      baseTime: 0,
    })
  })

  test('ends with an index of every part and a hash of everything before it, and is in the manifest with the file’s hash', async () => {
    const set = await stage()
    set.show(...playTracks(clips(), { seconds: 6, wallClock: TEN_THIRTY }))
    await set.stop('schedule')
    const [path = ''] = await filesBelow(set.store)
    const bytes = await readFile(path)
    const { parts, soundBytes } = await scanSegment(path)
    await using reader = await SegmentReader.open(path)
    expect(reader.parts).toEqual(parts)
    expect(reader.end).toBe('schedule')
    const sha = (data: Uint8Array) => createHash('sha256').update(data).digest('hex')
    expect(Buffer.from(bytes.subarray(-40, -8)).toString('hex')).toBe(sha(bytes.subarray(0, soundBytes)))
    const line = parseEntry((await readFile(`${dirname(path)}/manifest.jsonl`, 'utf8')).trim())
    expect(line?.entry).toMatchObject({
      start: TEN_THIRTY,
      end: TEN_THIRTY + 6000,
      bytes: bytes.length,
      sha256: sha(bytes),
      why: 'schedule',
    })
  })

  test('continues in a new segment of the same run when the parameters change, without a gap', async () => {
    const set = await stage()
    set.show(...playTracks([footage('main.h264')], { seconds: 4, wallClock: TEN_THIRTY }))
    set.show(...playTracks([footage('high.h264')], { seconds: 2, wallClock: TEN_THIRTY + 4000, time: 4 * 90_000 }))
    await set.stop()
    const heads = (await scanned(await filesBelow(set.store))).map(({ head }) => head)
    expect(heads.map(({ tracks }) => tracks[0])).toMatchObject([{ width: 320 }, { width: 160 }])
    expect(new Set(heads.map(({ header }) => header.runId)).size).toBe(1)
    expect(heads.map(({ header }) => [header.segmentInRun, header.baseTime])).toEqual([
      [0, 0],
      [1, 360_000],
    ])
    expect(set.runs.ended).toEqual([[TEN_THIRTY, TEN_THIRTY + 6000, 'stopped']])
  })

  test('is a new run after the camera was lost, with the cause in the log', async () => {
    const set = await stage()
    set.show(...playTracks(clips(), { seconds: 4, wallClock: TEN_THIRTY }))
    set.lose('silent')
    set.show(...playTracks(clips(), { seconds: 2, wallClock: TEN_THIRTY + 20_000 }))
    set.lose('desync')
    await set.stop()
    expect(set.runs.ended).toEqual([
      [TEN_THIRTY, TEN_THIRTY + 4000, 'cameraOffline'],
      [TEN_THIRTY + 20_000, TEN_THIRTY + 22_000, 'network'],
    ])
  })

  test('ends where it was stopped, even if the recorder is behind: what arrives afterwards is not recorded', async () => {
    const set = await stage()
    set.show(...playTracks(clips(), { seconds: 4, wallClock: TEN_THIRTY }))
    const stopped = set.stop('mode')
    set.show(...playTracks(clips(), { seconds: 4, wallClock: TEN_THIRTY + 4000 }))
    await stopped
    expect(set.runs.ended).toEqual([[TEN_THIRTY, TEN_THIRTY + 4000, 'mode']])
  })

  test('is logged in slices that meet at the hour', async () => {
    const set = await stage()
    const eleven = Date.parse('2026-03-01T11:00:00Z')
    set.show(...playTracks(clips(), { seconds: 30, wallClock: eleven - 10_000 }))
    await set.stop()
    const [first, second] = set.runs.ended
    expect(first?.[0]).toBe(eleven - 10_000)
    expect(first?.[1]).toBe(second?.[0])
    expect(Math.abs((second?.[0] ?? 0) - eleven)).toBeLessThanOrEqual(1000)
    expect(second?.slice(1)).toEqual([eleven + 20_000, 'stopped'])
    const grew = set.runs.calls.filter(({ call }) => call === 'grew').map(({ slice }) => slice.end)
    for (const [index, end] of grew.entries())
      if (index > 0) expect(end - (grew[index - 1] ?? 0)).toBeGreaterThanOrEqual(5000)
  })
})

describe('the clock', () => {
  test('set back ends the run at the next key picture; nothing is overwritten and no picture is lost', async () => {
    const set = await stage()
    const parts = [...play([footage('main.h264')], { seconds: 10, wallClock: TEN_THIRTY })]
    set.hub.publish({ kind: 'tracks', tracks: [footage('main.h264').track] })
    for (const { unit, track } of parts) {
      const wallClock = unit.time < 5 * 90_000 ? unit.wallClock : unit.wallClock - 3_600_000
      set.hub.publish({ kind: 'unit', track, unit: { ...unit, wallClock } })
    }
    await set.stop()
    const found = await scanned(await filesBelow(set.store))
    expect(found.flatMap(({ parts: list }) => list.map((part) => part.pictures)).reduce((a, b) => a + b)).toBe(250)
    expect(set.runs.ended).toEqual([
      [TEN_THIRTY, TEN_THIRTY + 6000, 'clock'],
      [TEN_THIRTY + 6000 - 3_600_000, TEN_THIRTY + 10_000 - 3_600_000, 'stopped'],
    ])
    expect(await verifyManifest(streamFolder(set.store, CAMERA), CAMERA)).toMatchObject({ broken: [] })
  })

  test('set ahead does the same, but a burst after a network stall isn’t a jump', () => {
    const unit = (time: number, wallClock: number) => ({
      kind: 'video' as const,
      time,
      wallClock,
      isKey: false,
      units: [],
    })
    expect(clockJumped(unit(0, 0), unit(3600, 86_400_000))).toBe(true)
    expect(clockJumped(unit(0, 5000), unit(3600, 3000))).toBe(true)
    expect(clockJumped(unit(0, 0), unit(3600, 8000))).toBe(false)
    expect(clockJumped(unit(0, 8000), unit(720_000, 8001))).toBe(false)
    expect(clockJumped(unit(0, 0), unit(90_000 * 60, 60_000))).toBe(false)
  })
})

describe('a process that stood still', () => {
  /** Pictures that waited in the socket meanwhile arrive after it; `monotonicMs` passed by a clock that nobody sets. */
  const continuedAfter = async (stillMs: number, monotonicMs: number) => {
    const { track } = footage('main.h264')
    const isBefore = (unit: { readonly time: number }) => unit.time < 3 * 90_000
    const units = [...play([footage('main.h264')], { seconds: 8, wallClock: TEN_THIRTY })]
    const before = units.filter(({ unit }) => isBefore(unit)).length
    let taken = 0
    const set = await stage({ monotonic: () => (taken++ < before ? 0 : monotonicMs) })
    const late = (wallClock: number) => wallClock + stillMs
    set.show(
      [track],
      units.map((each) =>
        isBefore(each.unit) ? each : { ...each, unit: { ...each.unit, wallClock: late(each.unit.wallClock) } },
      ),
    )
    await set.stop()
    return set.runs.ended
  }

  test('ends the run because it was stopped, not because the clock changed', async () => {
    expect(await continuedAfter(25_000, 25_000)).toEqual([
      [TEN_THIRTY, TEN_THIRTY + 4000, 'stopped'],
      [TEN_THIRTY + 29_000, TEN_THIRTY + 33_000, 'stopped'],
    ])
  })

  test('is told from one whose clock was set ahead', async () => {
    expect((await continuedAfter(25_000, 40)).map(([, , why]) => why)).toEqual(['clock', 'stopped'])
  })
})

describe('several writers', () => {
  const claim = async (folder: string, fence: number): Promise<number> => {
    await using group = new SyncGroup()
    return await claimFence(folder, fence, { group, failed: () => undefined })
  }

  test('a file of the same name is never overwritten', async () => {
    const first = await stage({ newId: () => 'a'.repeat(32) })
    first.show(...playTracks(clips(), { seconds: 3, wallClock: TEN_THIRTY }))
    await first.stop()
    const [path = ''] = await filesBelow(first.store)
    const before = await readFile(path)
    const second = await stage({ store: first.store, newId: () => 'a'.repeat(32) })
    second.show(...playTracks(clips(), { seconds: 3, wallClock: TEN_THIRTY }))
    await second.stop()
    expect(await readFile(path)).toEqual(before)
    expect(second.health[0]).toMatchObject({ kind: 'diskFault', cause: { code: 'EEXIST' } })
    // No run could begin, so no run's end says why there is no footage.
    expect(second.runs.missing).toEqual([[TEN_THIRTY, 'disk']])
  })

  test('a writer stops and reports it when the folder has a newer fence', async () => {
    const newer = await stage({ fence: 9 })
    newer.show(...playTracks(clips(), { seconds: 3, wallClock: TEN_THIRTY }))
    await newer.stop()
    const older = await stage({ store: newer.store, fence: 8 })
    older.show(...playTracks(clips(), { seconds: 3, wallClock: TEN_THIRTY + 3000 }))
    await older.stop()
    expect(older.health.map(({ kind }) => kind)).toEqual(['fenced'])
    expect((await filesBelow(newer.store)).map((path) => basename(path).split('-')[1])).toEqual(['9'])
  })

  /** Ten seconds are recorded, then the lease changes and ten more arrive. */
  async function recordedAcross(
    change: (lease: { fence: number; state: LeaseState }, folder: string) => Promise<void>,
  ) {
    const lease: { fence: number; state: LeaseState } = { fence: 1, state: 'held' }
    const set = await stage({ lease })
    set.show(...playTracks(clips(), { seconds: 10, wallClock: TEN_THIRTY }))
    await expect.poll(() => set.health.map(({ kind }) => kind)).toEqual(['ok'])
    // The last part of the ten seconds is written when its time is up.
    await sleep(1000)
    const [path = ''] = await filesBelow(set.store)
    const before = await readFile(path)
    await change(lease, streamFolder(set.store, CAMERA))
    set.show(...playTracks(clips(), { seconds: 10, wallClock: TEN_THIRTY + 10_000, time: 900_000 }))
    await set.stop()
    expect(await filesBelow(set.store)).toEqual([path])
    return { set, path, before, after: await readFile(path) }
  }

  test('a writer whose lease was taken writes nothing more', async () => {
    const { set, before, after } = await recordedAcross(async (lease) => {
      lease.state = 'taken'
    })
    expect(after).toEqual(before)
    expect(set.health.map(({ kind }) => kind)).toEqual(['ok', 'fenced'])
  })

  test('a writer whose lease lapsed records on as long as the folder has no newer fence', async () => {
    const { set, path } = await recordedAcross(async (lease, folder) => {
      await claim(folder, 1)
      lease.state = 'lapsed'
    })
    const { parts } = await scanSegment(path)
    expect(parts.reduce((sum, part) => sum + part.pictures, 0)).toBe(20 * 25)
    expect(set.health.map(({ kind }) => kind)).toEqual(['ok'])
    expect(set.runs.ended).toHaveLength(1)
  })

  test('a writer whose lease lapsed writes nothing after another one has claimed the folder', async () => {
    const { set, before, after } = await recordedAcross(async (lease, folder) => {
      lease.state = 'lapsed'
      await claim(folder, 2)
    })
    expect(after).toEqual(before)
    expect(set.health.map(({ kind }) => kind)).toEqual(['ok', 'fenced'])
    expect(set.runs.ended).toEqual([])
  })

  test('a writer begins no segment in a folder that another one has claimed', async () => {
    const set = await stage({ fence: 1 })
    await claim(streamFolder(set.store, CAMERA), 2)
    set.show(...playTracks(clips(), { seconds: 3, wallClock: TEN_THIRTY }))
    await set.stop()
    expect(await filesBelow(set.store)).toEqual([])
    expect(set.health.map(({ kind }) => kind)).toEqual(['fenced'])
  })

  test('a folder keeps the newest fence that claimed it', async () => {
    const folder = streamFolder(await temporaryFolder(), CAMERA)
    expect(await claim(folder, 3)).toBe(3)
    expect(await claim(folder, 3)).toBe(3)
    expect(await claim(folder, 7)).toBe(7)
    expect(await claim(folder, 5)).toBe(7)
    expect(await readdir(folder)).toEqual(['7.fence'])
  })
})

describe('the manifest', () => {
  const threeSegments = async () => {
    const set = await stage({ segmentMs: 4000 })
    set.show(...playTracks(clips(), { seconds: 20, wallClock: TEN_THIRTY }))
    await set.stop()
    const folder = streamFolder(set.store, CAMERA)
    const [file = ''] = await filesBelow(set.store, '.jsonl')
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    const check = async (changed: readonly string[]) => {
      await writeFile(file, `${changed.join('\n')}\n`)
      return (await verifyManifest(folder, CAMERA)).broken.map(({ line, what }) => [line, what])
    }
    return { lines, check }
  }

  test('verifies as written', async () => {
    const { lines, check } = await threeSegments()
    expect(lines.length).toBeGreaterThan(3)
    expect(await check(lines)).toEqual([])
  })

  test('reports the line that was removed, moved or changed', async () => {
    const { lines, check } = await threeSegments()
    const [a = '', b = '', c = '', ...rest] = lines
    expect(await check([a, c, ...rest])).toEqual([[2, 'does not follow the line before it']])
    expect(await check([b, c, ...rest])).toEqual([[1, 'does not follow the line before it']])
    expect((await check([a, c, b, ...rest])).map(([line]) => line)).toContain(2)
    expect(await check([a, b.replace('"parts":', '"parts":1'), c, ...rest])).toContainEqual([2, 'changed line'])
  })

  test('of another camera doesn’t match', async () => {
    const { lines, check } = await threeSegments()
    const other = await stage({ stream: { ...CAMERA, cameraId: 2002 }, segmentMs: 4000 })
    other.show(...playTracks(clips(), { seconds: 8, wallClock: TEN_THIRTY }))
    await other.stop()
    const [file = ''] = await filesBelow(other.store, '.jsonl')
    const foreign = (await readFile(file, 'utf8')).trimEnd().split('\n')
    expect(await check(foreign)).toContainEqual([1, 'does not follow the line before it'])
    expect(await check(lines)).toEqual([])
  })
})
