import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { makeGreyStart } from '../codec/index.ts'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import { startDecoder } from './sandbox.ts'

export { EncoderProbe, type EncodingAbilities, readEncodingAbilities } from './abilities.ts'
export { type GreyDecoder, type GreyDecoderOptions, startGreyDecoder } from './grey-decoder.ts'
export { type JpegDecoder, type JpegDecoderOptions, startJpegDecoder } from './jpeg-decoder.ts'
export {
  type DrawnLogo,
  type PictureEncoder,
  type PictureEncoderOptions,
  startPictureEncoder,
} from './picture-encoder.ts'
export { type SoundDecoder, type SoundDecoderOptions, startSoundDecoder } from './sound-decoder.ts'
export { type SoundEncoder, startSoundEncoder } from './sound-encoder.ts'
export { NotAac, startTalkDecoder, type TalkDecoder, type TalkDecoderOptions } from './talk-decoder.ts'
export { startTalkEncoder, type TalkEncoder, type TalkEncoderOptions } from './talk-encoder.ts'

type VideoTrack = Extract<TrackConfig, { kind: 'video' }>

/**
 * Converts coded pictures to formats that every program can show. Available only if the operator installed a decoder;
 * nothing depends on it.
 */
export interface Decoder {
  /** The picture as a JPEG, at most `width` pixels wide and never larger than it is; rejects if it can't be decoded within 5 s. */
  toJpeg(picture: CodedPicture, width?: number): Promise<Uint8Array>
  /** The picture blurred until people and text can't be recognized; light, colours and the general view remain. */
  toBlurredJpeg(picture: CodedPicture): Promise<Uint8Array>
}

/** A picture and all that it depends on. */
export interface CodedPicture {
  readonly track: VideoTrack
  /** In decoding order, from a key picture on. */
  readonly units: readonly AccessUnit[]
  /** Which of them it is, counted from 0 in the order of showing; pictures shown before the key picture don't count. */
  readonly shown: number
}

const START_CODE = Buffer.of(0, 0, 0, 1)
const TIMEOUT_MS = 5000
const MAX_JPEG_BYTES = 16 * 1024 * 1024

/**
 * A blurred picture keeps only 16 pixels along its longer side: sharpening can't restore the rest. People recognise
 * familiar faces in 16 × 16 pixels, so even a face that fills the picture must have fewer. Scaling it up again only
 * makes it pleasant to look at.
 */
const BLUR = [
  'scale=16:16:force_original_aspect_ratio=decrease:flags=area',
  'scale=480:480:force_original_aspect_ratio=decrease:flags=bicubic',
  'gblur=sigma=12',
].join(',')

/** Path of the system's ffmpeg, or undefined. */
export function findFfmpeg(searchPath: string): string | undefined {
  return searchPath
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg'))
    .find((path) => existsSync(path))
}

/**
 * Decodes with the system's ffmpeg, in a process for each picture: a camera's data may be hostile, so a broken parser
 * must not affect anything else. At most `concurrency` run at a time; others wait.
 */
export function ffmpegDecoder(ffmpeg: string, concurrency = 2): Decoder {
  let running = 0
  const waiting: (() => void)[] = []
  const enter = async () => {
    if (running < concurrency) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  const oneOfFew = async (work: () => Promise<Uint8Array>): Promise<Uint8Array> => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
  return {
    toJpeg: (picture, width) =>
      oneOfFew(() => decode(ffmpeg, picture, width === undefined ? [] : [`scale=min(iw\\,${width}):-2`])),
    toBlurredJpeg: (picture) => oneOfFew(() => decode(ffmpeg, picture, [BLUR])),
  }
}

function decode(
  ffmpeg: string,
  { track, units: sent, shown }: CodedPicture,
  filters: readonly string[],
): Promise<Uint8Array> {
  // All pictures, so that those after a recovery point can be counted.
  const input = ['-flags2', '+showall', '-f', track.codec === 'h264' ? 'h264' : 'hevc', '-i', 'pipe:0']
  // At a recovery point without a picture before it, ffmpeg may leave out the first pictures altogether.
  const grey = sent[0] && makeGreyStart(sent[0], track)
  const units = grey === undefined ? sent : [grey, ...sent]
  const chosen = [`select=gte(n\\,${shown + units.length - sent.length})`, ...filters].join(',')
  const output = ['-vf', chosen, '-vsync', 'passthrough', '-frames:v', '1', '-q:v', '4', '-f', 'mjpeg', 'pipe:1']
  const limits = { timeoutMs: TIMEOUT_MS, processorSeconds: TIMEOUT_MS / 1000 }
  const child = startDecoder(ffmpeg, [...input, ...output], limits)
  const chunks: Buffer[] = []
  let size = 0
  let complaint = ''
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_JPEG_BYTES) child.kill('SIGKILL')
    else chunks.push(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(0, 500)
  })
  // It may end before it has read everything; its exit code says whether it succeeded.
  child.stdin.on('error', () => undefined)
  for (const unit of [...track.parameterSets, ...units.flatMap((picture) => picture.units)]) {
    child.stdin.write(START_CODE)
    child.stdin.write(unit)
  }
  child.stdin.end()
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0 && size > 0) resolve(Buffer.concat(chunks))
      else reject(new Error(`ffmpeg ended with ${code} without a picture: ${complaint.trim()}`))
    })
  })
}
