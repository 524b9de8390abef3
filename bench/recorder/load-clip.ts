import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repository } from '../../tests/running-product.ts'
import { CannotMeasure } from '../figure.ts'

export const LOAD_FPS = 25
const SECONDS = 20

/** Change the name when the settings below change. */
const LOAD_CLIP = 'load-clip-1'
const LONG_GROUPS = 'long-groups-1'

/**
 * A clip as a camera would send it: 1080p, 25 pictures per second, a key picture every two seconds, 2 Mbit/s. A test pattern
 * with noise, so that the encoder uses the whole bit rate. Created once.
 */
export function loadClip(): { path: string; framesPerSecond: number } {
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
  return { path: encoded(LOAD_CLIP, [...source, '-t', String(SECONDS), ...codec, ...rate]), framesPerSecond: LOAD_FPS }
}

/**
 * A clip of 1080p with a key picture every ten seconds only, encoded so that the simulator can write its counter
 * (camera-simulator/README.md). Created once.
 */
export function clipOfLongGroups(): { path: string; framesPerSecond: number } {
  const group = 10 * LOAD_FPS
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=1920x1080:rate=${LOAD_FPS}`]
  const strip = [
    '-f',
    'lavfi',
    '-i',
    `color=black:size=1920x64:rate=${LOAD_FPS},format=gray,geq=lum='255*mod(floor(X/4)+floor(Y/4),2)'`,
  ]
  const mix = [
    '-filter_complex',
    '[0:v]gblur=sigma=2[v];[v][1:v]overlay=0:0,format=yuv420p',
    '-frames:v',
    String(2 * group),
  ]
  const x264 = `cabac=0:bframes=0:ref=1:weightp=0:no-deblock=1:keyint=${group}:min-keyint=${group}:scenecut=0:slice-max-mbs=480:8x8dct=0`
  const codec = ['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'main', '-crf', '30', '-x264-params', x264]
  const words = [...picture, ...strip, ...mix, ...codec, '-bsf:v', 'filter_units=remove_types=6']
  return { path: encoded(LONG_GROUPS, words), framesPerSecond: LOAD_FPS }
}

/** The path of a clip, which ffmpeg makes if it isn't there. */
function encoded(name: string, words: readonly string[]): string {
  const clip = join(repository, `node_modules/.cache/sightline/${name}.h264`)
  if (existsSync(clip)) return clip
  mkdirSync(dirname(clip), { recursive: true })
  const unfinished = `${clip}.${process.pid}`
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-y', ...words, '-f', 'h264', unfinished], {
    encoding: 'utf8',
  })
  if (status !== 0)
    throw new CannotMeasure(`ffmpeg with libx264 is needed to make the clip: ${stderr ?? 'not installed'}`)
  renameSync(unfinished, clip)
  return clip
}
