/** A camera with reordered pictures (B pictures): recorded, watched live and played back, checked with ffmpeg. */
import { type ChildProcess, execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Hub } from '../../server/media/src/hub/index.ts'
import { serveLive } from '../../server/media/src/output/index.ts'
import { type WatchResult, watchSocket } from '../../server/media/src/output/socket-stage.ts'
import {
  findPicture,
  findPictureByOffset,
  openPlayback,
  type PicturePosition,
  servePlayback,
} from '../../server/media/src/playback/index.ts'
import { SegmentReader } from '../../server/media/src/recording/index.ts'
import { CAMERA, filesBelow } from '../../server/media/src/recording/recording-stage.ts'
import { type HubRecording, isReady, RECORD_MS, recordCamera, startGst } from './gst-recording.ts'

const run = promisify(execFile)

/** Presentation times of a file's pictures as ffmpeg decodes them; any ffmpeg error fails. */
async function framesOf(path: string): Promise<number[]> {
  const strict = ['-v', 'error', '-xerror', '-err_detect', 'explode']
  const decoded = await run('ffmpeg', [...strict, '-i', path, '-f', 'null', '-'])
  expect(decoded.stderr).toBe('')
  const what = ['-v', 'error', '-select_streams', 'v:0', '-show_frames', '-show_entries', 'frame=pts', '-of', 'csv=p=0']
  const { stdout, stderr } = await run('ffprobe', [...what, path], { maxBuffer: 2 ** 26 })
  expect(stderr).toBe('')
  return stdout
    .trim()
    .split('\n')
    .map((line) => Number.parseInt(line, 10))
    .filter(Number.isInteger)
}

const inOrder = (times: readonly number[]): readonly number[] => times.toSorted((a, b) => a - b)
/** Time between consecutive pictures in presentation order. */
const distances = (times: readonly number[]): readonly number[] =>
  times.slice(1).map((time, index) => time - (times[index] ?? 0))

const stepped = async (
  footage: { store: string; stream: typeof CAMERA },
  from: PicturePosition | undefined,
  frames: number,
): Promise<PicturePosition | undefined> => from && findPictureByOffset(footage, from, frames)

/** At 15 pictures per second. */
const PICTURE_TICKS = 6000
/** Maximum number of consecutive B pictures (gst-camera.py). */
const B_PICTURES = 3

describe.runIf(isReady).each(['/h264bframes', '/h265bframes'])('pictures in decoding order, %s', (path) => {
  let server: ChildProcess
  let recorded: HubRecording
  let live: WatchResult
  let shown: readonly number[]

  beforeAll(async () => {
    const gst = await startGst()
    server = gst.server
    let watching: Promise<WatchResult> | undefined
    const watch = (hub: Hub) => {
      const limits = { offlineGraceMs: 30_000 }
      watching = watchSocket((socket, signal) => serveLive({ socket, hub, sound: 'allowed', signal, limits }))
    }
    recorded = await recordCamera(`${gst.origin}${path}`, watch)
    shown = recorded.arrived.shown
    if (watching === undefined) throw new Error('nobody watched')
    live = await watching
    live.revoke()
    await live.closed
  })

  afterAll(async () => {
    server.kill()
    await rm(recorded.store, { recursive: true, force: true })
  })

  test('the camera reorders pictures, and presentation times are evenly spaced', () => {
    expect(recorded.counters).toMatchObject({ lostPackets: 0, badPackets: 0, droppedPictures: 0 })
    expect(recorded.counters.reorderedPictures).toBeGreaterThan(shown.length / 3)
    expect(shown.length).toBeGreaterThan((RECORD_MS / 1000) * 7)
    // The camera skips pictures on a busy machine; the times are still multiples of its interval.
    const pictures = distances(inOrder(shown)).map((distance) => distance / PICTURE_TICKS)
    for (const count of pictures) expect(Math.abs(count - Math.max(Math.round(count), 1))).toBeLessThan(0.02)
  })

  test('ffmpeg decodes every recorded file without errors, each picture at its exact time', async ({ annotate }) => {
    const seen: number[] = []
    const starts: number[] = []
    for (const file of await filesBelow(recorded.store)) {
      await using reader = await SegmentReader.open(file)
      const times = await framesOf(file)
      expect(times).toEqual(inOrder(times))
      const { baseTime } = reader.head.header
      starts.push((times[0] ?? 0) + baseTime)
      seen.push(...times.map((time) => time + baseTime))
    }
    // If a file starts with an open GOP, the pictures before its key picture refer to the previous file, so a decoder with
    // only this file skips them (H.265 §8.1.3, RASL). No other picture may be missing.
    const leading = (time: number) =>
      starts.slice(1).some((start) => start > time && start - time <= B_PICTURES * PICTURE_TICKS + 1)
    const wanted = inOrder(shown).filter((time) => seen.includes(time) || !leading(time))
    expect(seen).toEqual(wanted)
    await annotate(`${seen.length} pictures`)
  })

  test('live over the WebSocket has every picture at its exact time', async () => {
    const file = join(recorded.store, 'live.mp4')
    await writeFile(file, Buffer.concat(live.bytes))
    expect(await framesOf(file)).toEqual(inOrder(shown))
  })

  test('playback over the WebSocket has every picture from a key picture on, evenly spaced', async () => {
    const [first] = await filesBelow(recorded.store)
    await using reader = await SegmentReader.open(first ?? '')
    const time = reader.head.header.start
    const viewer = await watchSocket((socket, signal) =>
      servePlayback({ socket, store: recorded.store, stream: CAMERA, time, signal, limits: { waitMs: 0 } }),
    )
    await viewer.closed
    expect(viewer.messages.at(-1)).toEqual({ type: 'end', code: 0 })
    const file = join(recorded.store, 'playback.mp4')
    await writeFile(file, Buffer.concat(viewer.bytes))
    const times = await framesOf(file)
    expect(times).toHaveLength(shown.length)
    expect(distances(times)).toEqual(distances(inOrder(shown)))
    // The first picture to show is the key picture, at its presentation time.
    const [position] = viewer.messages.filter((message) => message.type === 'pos')
    expect(position).toMatchObject({ wallclock: time })
    expect(Math.round((position?.mediaTime ?? 0) * 90_000)).toBe(times[0])
  })

  test('steps follow presentation order forward and back, without repeating or skipping a picture', async () => {
    const footage = { store: recorded.store, stream: CAMERA }
    const [first] = await filesBelow(recorded.store)
    await using reader = await SegmentReader.open(first ?? '')
    const wanted = inOrder(shown).slice(0, 40)
    const forth: PicturePosition[] = []
    for (let n = 0; n < wanted.length; n++) {
      const picture = await (n === 0
        ? findPicture(footage, reader.head.header.start)
        : stepped(footage, forth.at(-1), 1))
      if (picture !== undefined) forth.push(picture)
    }
    expect(forth.map(({ time }) => time)).toEqual(wanted)
    const back = forth.slice(-1)
    for (let n = 1; n < wanted.length; n++) {
      const picture = await stepped(footage, back.at(-1), -1)
      if (picture !== undefined) back.push(picture)
    }
    expect(back.toReversed()).toEqual(forth)
    expect((await stepped(footage, forth[0], 39))?.time).toBe(wanted[39])
    expect((await stepped(footage, forth[39], -39))?.time).toBe(wanted[0])
  })

  test('key pictures play alone', async () => {
    const times: number[] = []
    for await (const message of openPlayback({ store: recorded.store, stream: CAMERA, at: 0, pictures: 'keys' })) {
      if (message.kind === 'part') times.push(...message.samples.map(({ unit }) => unit.time))
    }
    expect(times.length).toBeGreaterThan(3)
    expect(times).toEqual(inOrder(times))
  })
})

test.runIf(!isReady)('nothing was recorded: gst-rtsp-server or ffmpeg is not installed', ({ skip }) => {
  skip('install ffmpeg, gir1.2-gst-rtsp-server-1.0, python3-gi, gstreamer1.0-plugins-{base,good,bad,ugly}, -libav')
})
