import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repository } from '../../tests/running-product.ts'
import { CannotMeasure } from '../figure.ts'

export const LOAD_FPS = 25
const SECONDS = 20

/** Change the name when the settings below change. */
const clip = join(repository, 'node_modules/.cache/sightline/load-clip-1.h264')

/**
 * A clip as a camera would send it: 1080p, 25 pictures per second, a key picture every two seconds, 2 Mbit/s. A test pattern
 * with noise, so that the encoder uses the whole bit rate. Created once.
 */
export function loadClip(): { path: string; framesPerSecond: number } {
  if (!existsSync(clip)) encode()
  return { path: clip, framesPerSecond: LOAD_FPS }
}

function encode(): void {
  mkdirSync(dirname(clip), { recursive: true })
  const unfinished = `${clip}.${process.pid}`
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=1920x1080:rate=${LOAD_FPS},noise=alls=7:allf=t,format=yuv420p`]
  const codec = [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-profile:v',
    'main',
    '-bf',
    '0',
    '-g',
    '50',
    '-sc_threshold',
    '0',
  ]
  const rate = ['-b:v', '2M', '-maxrate', '2.2M', '-bufsize', '2M']
  const words = ['-v', 'error', '-y', ...source, '-t', String(SECONDS), ...codec, ...rate, '-f', 'h264', unfinished]
  const { status, stderr } = spawnSync('ffmpeg', words, { encoding: 'utf8' })
  if (status !== 0)
    throw new CannotMeasure(`ffmpeg with libx264 is needed to make the clip: ${stderr ?? 'not installed'}`)
  renameSync(unfinished, clip)
}
