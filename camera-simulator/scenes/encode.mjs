import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeAmbience } from './ambience.mjs'

/** What the simulator replays; `strip` is the height in pixels of the part at the top that it replaces by its own clock. */
const main = {
  width: 1920,
  height: 1080,
  framesPerSecond: 25,
  frames: 400,
  strip: 64,
  keyFrameEvery: 50,
  sliceBlocks: 480,
}
const sub = { width: 640, height: 360, framesPerSecond: 10, frames: 160, strip: 32, keyFrameEvery: 20, sliceBlocks: 80 }
const titles = { 'car-park': 'Car park', 'shop-floor': 'Shop floor', corridor: 'Corridor', entrance: 'Entrance' }
/** Constant rate factor of main and sub per scene, chosen so that main stays below 2.5 MB and sub below 0.5 MB. */
const rateFactors = {
  'car-park': [25, 26],
  'shop-floor': [25, 26],
  corridor: [25, 26],
  entrance: [25, 26],
}

/** The format of the page's pictures: planar 4:2:0, BT.709, limited range. */
const rawPictures = [
  '-f',
  'rawvideo',
  '-pix_fmt',
  'yuv420p',
  '-s',
  '1920x1080',
  '-r',
  '25',
  '-color_range',
  'tv',
  '-colorspace',
  'bt709',
]
const colourFlags = ['-color_range', 'tv', '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709']

function startFfmpeg(args) {
  const child = spawn('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...args], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const done = once(child, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`ffmpeg ended with code ${code}: ${args.join(' ')}`)
  })
  return { input: child.stdin, done }
}

async function runFfmpeg(args, input) {
  const { input: stdin, done } = startFfmpeg(args)
  stdin.end(input)
  await done
}

export async function savePicture(picture, file) {
  const toScreenColours = 'scale=in_color_matrix=bt709:in_range=limited:out_range=full,format=rgb24'
  await runFfmpeg([...rawPictures, '-i', 'pipe:0', '-vf', toScreenColours, '-frames:v', '1', file], picture)
}

/**
 * A checkerboard fills the strip that the simulator replaces: nothing in the picture looks like it, so no motion vector
 * points to it and the replaced pixels can't leak downward.
 */
const checkerboard = ({ width, strip }) =>
  `color=black:s=${width}x${strip},format=gray,geq=lum='255*mod(floor(X/4)+floor(Y/4),2)'`

async function encodeVideo({ film, file, format, rateFactor }) {
  const { width, height, framesPerSecond, frames, keyFrameEvery, sliceBlocks } = format
  // One reference, no B pictures, no CABAC, no deblocking: slices are independent, so the simulator can rewrite the
  // first one.
  const x264 = `cabac=0:bframes=0:ref=1:weightp=0:no-deblock=1:keyint=${keyFrameEvery}:min-keyint=${keyFrameEvery}:scenecut=0:slice-max-mbs=${sliceBlocks}:8x8dct=0`
  const compose = `[0:v]fps=${framesPerSecond},scale=${width}:${height}[v];[v][1:v]overlay=0:0,format=yuv420p`
  await runFfmpeg([
    ...rawPictures,
    ...['-i', film, '-f', 'lavfi', '-i', checkerboard(format), '-filter_complex', compose],
    ...['-frames:v', `${frames}`, ...colourFlags, '-c:v', 'libx264', '-preset', 'slow', '-profile:v', 'main'],
    ...['-crf', `${rateFactor}`, '-x264-params', x264, '-f', 'h264', file],
  ])
}

/** Writes main.h264, sub.h264, audio.aac, snapshot.jpg and meta.json of one scene from its film: its raw pictures in one file. */
export async function encodeClip({ scene, film, folder }) {
  await mkdir(folder, { recursive: true })
  const [mainRate, subRate] = rateFactors[scene]
  await encodeVideo({ film, file: join(folder, 'main.h264'), format: main, rateFactor: mainRate })
  await encodeVideo({ film, file: join(folder, 'sub.h264'), format: sub, rateFactor: subRate })
  const sound = ['-f', 's16le', '-ar', '16000', '-ac', '1', '-i', 'pipe:0']
  await runFfmpeg(
    [...sound, '-c:a', 'aac', '-b:a', '32k', '-f', 'adts', join(folder, 'audio.aac')],
    makeAmbience(scene),
  )
  const snapshot = 'scale=1280:720,drawbox=x=0:y=0:w=iw:h=43:color=black:t=fill'
  await runFfmpeg([
    ...rawPictures,
    '-ss',
    '4',
    '-i',
    film,
    '-vf',
    snapshot,
    '-frames:v',
    '1',
    '-q:v',
    '5',
    join(folder, 'snapshot.jpg'),
  ])
  const describe = ({ width, height, framesPerSecond, frames }) => ({ width, height, framesPerSecond, frames })
  const audio = { sampleRate: 16_000, channels: 1 }
  const meta = { scene, title: titles[scene], main: describe(main), sub: describe(sub), audio }
  await writeFile(join(folder, 'meta.json'), `${JSON.stringify(meta, null, 2)}\n`)
  for (const name of ['main.h264', 'sub.h264', 'audio.aac', 'snapshot.jpg'])
    console.log(`  ${scene}/${name}: ${Math.round((await stat(join(folder, name))).size / 1000)} kB`)
}
