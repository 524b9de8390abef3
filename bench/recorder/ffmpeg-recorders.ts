import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { processorSeconds, readMemory } from '../process-cost.ts'
import { LOAD_FPS } from './load-clip.ts'
import type { RecorderCost, Window } from './product-recorder.ts'
import type { CameraRecording } from './recorded.ts'

const run = promisify(execFile)

const SEGMENT_SECONDS = 10
const LIST = 'list.csv'

/** One ffmpeg per address, copying to fragmented MP4 in `folder`, for as long as our own recorder is measured. */
export async function recordWithFfmpeg(
  folder: string,
  addresses: readonly string[],
  { warmUpMs, lengthMs }: Window,
): Promise<RecorderCost> {
  const folders = addresses.map((_, index) => join(folder, String(index)))
  await Promise.all(folders.map((camera) => mkdir(camera, { recursive: true })))
  const recorders = addresses.map((address, index) => startFfmpeg(address, folders[index] ?? folder))
  let cost: Omit<RecorderCost, 'recorded'>
  try {
    await sleep(warmUpMs)
    const pids = recorders.map(({ pid }) => pid ?? 0)
    const began = performance.now()
    const before = await processorSeconds(pids)
    await sleep(lengthMs)
    const seconds = (performance.now() - began) / 1000
    cost = { cores: ((await processorSeconds(pids)) - before) / seconds, memory: await readMemory(pids) }
  } finally {
    await Promise.all(recorders.map(stop))
  }
  return { ...cost, recorded: await Promise.all(folders.map(recordedIn)) }
}

function startFfmpeg(address: string, folder: string): ChildProcess {
  const input = ['-nostdin', '-v', 'error', '-rtsp_transport', 'tcp', '-i', address]
  const segments = ['-f', 'segment', '-segment_time', String(SEGMENT_SECONDS), '-segment_format', 'mp4']
  // Fragmented like ours, so that footage from before a crash can be played.
  const fragments = ['-segment_format_options', 'movflags=+frag_keyframe+empty_moov+default_base_moof']
  const list = ['-segment_list', join(folder, LIST), '-segment_list_type', 'csv']
  const words = [...input, '-map', '0:v', '-c', 'copy', ...segments, ...fragments, ...list, join(folder, '%03d.mp4')]
  return spawn('ffmpeg', words, { stdio: 'ignore' })
}

async function stop(recorder: ChildProcess): Promise<void> {
  if (recorder.exitCode !== null || recorder.pid === undefined) return
  const ended = new Promise((done) => recorder.once('exit', done))
  recorder.kill('SIGTERM')
  await ended
}

/** Reads each file's time span from ffmpeg's list and counts its pictures. */
async function recordedIn(folder: string): Promise<CameraRecording> {
  const list = await readFile(join(folder, LIST), 'utf8').catch(() => '')
  const files = list
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  let pictures = 0
  for (const [file = ''] of files) pictures += await picturesIn(join(folder, file))
  // RTSP has no picture durations, so the list ends at the start of the last picture.
  const seconds = Number(files.at(-1)?.[2]) - Number(files[0]?.[1]) + 1 / LOAD_FPS
  return { pictures, seconds, pieces: 1 }
}

async function picturesIn(file: string): Promise<number> {
  const entries = ['-count_packets', '-show_entries', 'stream=nb_read_packets']
  const { stdout } = await run('ffprobe', ['-v', 'error', '-select_streams', 'v', ...entries, '-of', 'csv=p=0', file])
  return Number.parseInt(stdout, 10)
}
