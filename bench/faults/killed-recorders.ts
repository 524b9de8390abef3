import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openPlayback } from '@sightline/media/playback'
import { recoverStream, SyncGroup } from '@sightline/media/recording'
import { CAMERA, MemoryRunLog } from '../../server/media/src/recording/recording-stage.ts'
import { LOAD_FPS } from '../recorder/load-clip.ts'

const MS_PER_PICTURE = 1000 / LOAD_FPS
/** Pictures before the time from which a recorder may be killed. */
const SOME_PICTURES = 60
const program = fileURLToPath(new URL('../../tests/chaos/recorder-process.ts', import.meta.url))

/** Kills after a random time; returns how many pictures the recorder had said that it has. */
async function killAtRandom(recorder: ChildProcess, toCount: (line: string) => number | undefined): Promise<number> {
  let arrived = 0
  if (recorder.stdout === null) throw new Error('the recorder has no output')
  for await (const line of createInterface({ input: recorder.stdout })) {
    arrived = toCount(line) ?? arrived
    if (arrived > SOME_PICTURES) break
  }
  createInterface({ input: recorder.stdout }).on('line', (line) => {
    arrived = toCount(line) ?? arrived
  })
  await sleep(Math.random() * 2000)
  const closed = once(recorder, 'close')
  recorder.kill('SIGKILL')
  await closed
  return arrived
}

/** Milliseconds of video that arrived and isn't there after a kill; segments of a second, so that most kills are near the start of one. */
export async function lostByOurs(store: string, syncMs: number): Promise<number> {
  const words = [store, '1', 'held', String(syncMs), '1000']
  const recorder = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  const arrived = await killAtRandom(recorder, (line) => (/^\d+$/.test(line) ? Number(line) : undefined))
  await using group = new SyncGroup()
  await recoverStream({ store, stream: CAMERA, fence: 2, group, runs: new MemoryRunLog(), previousWriter: 'dead' })
  let recorded = 0
  for await (const message of openPlayback({ store, stream: CAMERA, at: 0 }))
    if (message.kind === 'part') recorded += message.samples.filter(({ track }) => track === 0).length
  return (arrived - recorded) * MS_PER_PICTURE
}

/** The same for `ffmpeg -c copy`, fragmented like ours; it leaves syncing to the kernel. */
export async function lostByFfmpeg(folder: string, clip: string): Promise<number> {
  await mkdir(folder, { recursive: true })
  const [source, file] = [join(folder, 'source.mp4'), join(folder, 'recorded.mp4')]
  execFileSync('ffmpeg', ['-v', 'error', '-framerate', String(LOAD_FPS), '-i', clip, '-c', 'copy', source])
  const input = ['-nostdin', '-v', 'error', '-re', '-i', source, '-c', 'copy']
  const fragments = ['-movflags', '+frag_keyframe+empty_moov+default_base_moof']
  const recorder = spawn('ffmpeg', [...input, ...fragments, '-progress', 'pipe:1', '-stats_period', '0.05', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const arrived = await killAtRandom(recorder, (line) => {
    const [, count] = /^frame=(\d+)$/.exec(line) ?? []
    return count === undefined ? undefined : Number(count)
  })
  const count = ['-count_packets', '-select_streams', 'v', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0']
  const recorded = Number.parseInt(execFileSync('ffprobe', ['-v', 'fatal', ...count, file], { encoding: 'utf8' }), 10)
  return (arrived - recorded) * MS_PER_PICTURE
}
