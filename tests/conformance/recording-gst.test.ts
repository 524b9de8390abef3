/** Records every picture from gst-rtsp-server, and ffmpeg plays the recording; both are third-party programs. */
import { type ChildProcess, execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getPresentationTime } from '../../server/media/src/frame/index.ts'
import { openPlayback } from '../../server/media/src/playback/index.ts'
import { CAMERA, filesBelow } from '../../server/media/src/recording/recording-stage.ts'
import {
  type HubRecording,
  hashUnit,
  isReady,
  RECORD_MS,
  type ReceivedUnits,
  recordCamera,
  startGst,
} from './gst-recording.ts'

const run = promisify(execFile)

/** The number of packets and pictures that ffprobe finds in a file's stream. */
async function countIn(path: string, stream: 'v' | 'a'): Promise<{ packets: number; frames: number; codec: string }> {
  const what = ['-count_packets', '-count_frames', '-select_streams', `${stream}:0`]
  const entries = ['-show_entries', 'stream=codec_name,nb_read_packets,nb_read_frames', '-of', 'json']
  const { stdout } = await run('ffprobe', ['-v', 'error', ...what, ...entries, path])
  const [found] = JSON.parse(stdout).streams
  return { packets: Number(found.nb_read_packets), frames: Number(found.nb_read_frames), codec: found.codec_name }
}

async function playedBack(store: string): Promise<ReceivedUnits> {
  const played = { video: [] as string[], audio: [] as string[], shown: [] as number[] }
  for await (const message of openPlayback({ store, stream: CAMERA, at: 0 })) {
    expect(message.kind).not.toBe('damaged')
    if (message.kind !== 'part') continue
    for (const { unit } of message.samples) {
      played[unit.kind].push(hashUnit(unit))
      if (unit.kind === 'video') played.shown.push(getPresentationTime(unit))
    }
  }
  return played
}

describe.runIf(isReady).each([
  ['/h264pcma', 'pcm_alaw'],
  ['/h264aac', 'aac'],
] as const)('recorded from gst-rtsp-server, %s', (path, audioCodec) => {
  let server: ChildProcess
  let recorded: HubRecording
  let files: readonly string[]

  beforeAll(async () => {
    const gst = await startGst()
    server = gst.server
    recorded = await recordCamera(`${gst.origin}${path}`)
    files = await filesBelow(recorded.store)
  })

  afterAll(async () => {
    server.kill()
    await rm(recorded.store, { recursive: true, force: true })
  })

  test('neither the camera’s stream nor the disk had errors', ({ expect: expecting }) => {
    expecting(recorded.counters).toMatchObject({ lostPackets: 0, badPackets: 0, droppedPictures: 0 })
    expecting(recorded.health).toEqual([{ kind: 'ok' }])
    expecting(recorded.runs.ended.map(([, , why]) => why)).toEqual(['stopped'])
    // At least half of 15 pictures per second.
    expecting(recorded.arrived.video.length).toBeGreaterThan((RECORD_MS / 1000) * 7)
    expecting(recorded.arrived.audio.length).toBeGreaterThan(10)
  })

  test('ffmpeg decodes every file to its end without errors', async () => {
    for (const file of files) {
      const strict = ['-v', 'error', '-xerror', '-err_detect', 'explode']
      const { stderr } = await run('ffmpeg', [...strict, '-i', file, '-f', 'null', '-'])
      expect(stderr).toBe('')
    }
    expect(files.length).toBeGreaterThan(0)
  })

  test('the files contain exactly the pictures and sound that arrived', async ({ annotate }) => {
    const video = await Promise.all(files.map((file) => countIn(file, 'v')))
    const audio = await Promise.all(files.map((file) => countIn(file, 'a')))
    const sum = (counts: readonly { packets: number }[]) => counts.reduce((total, { packets }) => total + packets, 0)
    expect(sum(video)).toBe(recorded.arrived.video.length)
    expect(sum(audio)).toBe(recorded.arrived.audio.length)
    for (const { packets, frames, codec } of video) expect([codec, frames]).toEqual(['h264', packets])
    for (const { codec } of audio) expect(codec).toBe(audioCodec)
    await annotate(`${sum(video)} pictures, ${sum(audio)} sounds`)
  })

  test('playback returns the same bytes', async () => {
    expect(await playedBack(recorded.store)).toEqual(recorded.arrived)
  })
})

test.runIf(!isReady)('nothing was recorded: gst-rtsp-server or ffmpeg is not installed', ({ skip }) => {
  skip('install ffmpeg, gir1.2-gst-rtsp-server-1.0, python3-gi, gstreamer1.0-plugins-{base,good,bad,ugly}, -libav')
})
