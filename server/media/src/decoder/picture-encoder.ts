import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { startDecoder, untilEnded } from './sandbox.ts'

/** A logo on a light plate. Pixels of the picture, all even. */
export interface DrawnLogo {
  readonly png: Buffer
  /** Without the plate. */
  readonly width: number
  readonly height: number
  readonly x: number
  readonly y: number
  /** Of the plate around it. */
  readonly padding: number
}

export interface PictureEncoderOptions {
  readonly ffmpeg: string
  /** Of Advanced SubStation Alpha: what is drawn into the pictures. It has texts of users, so it isn't an argument. */
  readonly script: string
  readonly logo?: DrawnLogo | undefined
  /** Pixels; both even. */
  readonly size: { readonly width: number; readonly height: number }
  /** Seconds of the input that the output has. */
  readonly shown: { readonly from: number; readonly till: number }
  /** So many times faster than the input; without sound if more than 1. */
  readonly speed?: number
  readonly hasSound: boolean
  /** Its first half second, far before the rest, only opens the encoder and isn't heard. */
  readonly isSoundLate?: boolean
}

/** Makes a fragmented MP4 file with H.264 and AAC of one that it is given, with text and a logo in the pictures. */
export interface PictureEncoder extends Disposable {
  readonly input: Writable
  readonly output: Readable
  /** Resolves when the process is gone: undefined if it made the whole file, else what it complained about. */
  readonly ended: Promise<string | undefined>
}

/** Twelve hours of a large picture. */
const PROCESSOR_SECONDS = 48 * 3600
const TICKS_PER_SECOND = '90000'
/** Longer than what opens the encoder; sound that is late comes later. */
const PRIMER_SECONDS = 0.5
/** A key picture after so many. */
const GROUP = '50'
/** x264's scale of quality: 0 is the best, 51 the worst. */
const QUALITY = '21'
/** Noise in the dark doesn't grow without bound: 8 Mbit/s of 1080p, 33 of 4K. */
const BITS_PER_PIXEL = 4
const MIN_BITS_PER_SECOND = 1_000_000

/** The first descriptor after the three of standard streams. */
const SCRIPT_PATH = '/dev/fd/3'
const LOGO_PATH = '/dev/fd/4'
/** How much of logo and plate is seen: what is behind them stays recognizable. */
const LOGO_OPACITY = 0.85
const PLATE_OPACITY = 0.5

/** Starts ffmpeg; it runs on less processor time than what records. */
export async function startPictureEncoder(options: PictureEncoderOptions): Promise<PictureEncoder> {
  await using script = await unlinkedFile(options.script)
  await using logo = options.logo && (await unlinkedFile(options.logo.png))
  const child = startDecoder(options.ffmpeg, encoderArguments(options), {
    processorSeconds: PROCESSOR_SECONDS,
    files: [script.fd, ...(logo === undefined ? [] : [logo.fd])],
  })
  let isDisposed = false
  const ended = untilEnded(child, () => isDisposed).then((complaint) =>
    complaint.startsWith('0:') ? undefined : complaint,
  )
  return {
    input: child.stdin,
    output: child.stdout,
    ended,
    [Symbol.dispose]() {
      isDisposed = true
      child.kill('SIGKILL')
    },
  }
}

const FOOTAGE_INPUT = ['-copyts', '-f', 'mov', '-i', 'pipe:0']

function encoderArguments(
  { size, shown, hasSound, isSoundLate = false, logo, speed = 1 }: Omit<PictureEncoderOptions, 'ffmpeg' | 'script'>,
  input: readonly string[] = FOOTAGE_INPUT,
): readonly string[] {
  const { width, height } = size
  const [from, till] = [shown.from.toFixed(6), shown.till.toFixed(6)]
  const filters = [
    `scale=${width}:${height}`,
    'format=yuv420p',
    `ass=filename=${SCRIPT_PATH}`,
    ...(logo === undefined ? [] : logoFilters(logo)),
    `trim=start=${from}:end=${till}`,
    ...(speed === 1 ? [`setpts=PTS-(${from})/TB`] : fasterFilters(from, speed)),
  ]
  const pictures = `${logo === undefined ? '' : logoSource(logo)}${filters.join(',')}`
  const most = Math.max(MIN_BITS_PER_SECOND, width * height * BITS_PER_PIXEL)
  const mute = isSoundLate ? [`volume=volume=0:enable='lt(t,${(shown.from + PRIMER_SECONDS).toFixed(6)})'`] : []
  const sound = [...mute, `atrim=start=${from}:end=${till}`, `asetpts=PTS-(${from})/TB`, 'aresample=async=1000']
  return [
    ...[...input, '-map', '0:v:0', '-filter_threads', '1'],
    ...['-vf', pictures, '-vsync', 'passthrough', '-enc_time_base', '-1'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', QUALITY, '-g', GROUP, '-bf', '0', '-threads', '1'],
    ...['-maxrate', String(most), '-bufsize', String(2 * most)],
    ...(hasSound ? ['-map', '0:a:0?', '-af', sound.join(','), '-c:a', 'aac', '-b:a', '64k'] : ['-an']),
    ...['-map_metadata', '-1', '-video_track_timescale', TICKS_PER_SECOND, '-flush_packets', '1'],
    ...['-f', 'mp4', '-movflags', '+frag_keyframe+delay_moov+default_base_moof+skip_trailer', 'pipe:1'],
  ]
}

/** No screen shows more pictures, and a file of them all would be as large as at its own speed. */
const MAX_PICTURES_PER_SECOND = 30

/** Pictures keep their order and the distances of their times; those in between are left out, none is shown twice. */
const fasterFilters = (from: string, speed: number): readonly string[] => [
  `setpts=(PTS-(${from})/TB)/${speed}`,
  `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${(1 / MAX_PICTURES_PER_SECOND - 0.001).toFixed(4)})'`,
]

/** The logo before the pictures, in the same filter graph. It is opened again whenever the camera changes the size of its pictures. */
const logoSource = ({ width, height }: DrawnLogo): string =>
  `movie=filename=${LOGO_PATH}:f=png_pipe,format=rgba,scale=${width}:${height},colorchannelmixer=aa=${LOGO_OPACITY}[logo];[in]`

const logoFilters = ({ x, y, width, height, padding }: DrawnLogo): readonly string[] => [
  `drawbox=x=${x - padding}:y=${y - padding}:w=${width + 2 * padding}:h=${height + 2 * padding}:color=white@${PLATE_OPACITY}:t=fill[base];[base][logo]overlay=x=${x}:y=${y}`,
]

/** A file without a name, so that nothing is left of it whatever happens. The process reads it by its descriptor. */
async function unlinkedFile(content: string | Buffer): Promise<FileHandle> {
  const path = join(tmpdir(), `sightline-${randomBytes(12).toString('hex')}`)
  // Readable for the user without rights under whom the process runs; nobody else ever finds it.
  const file = await open(path, 'wx+', 0o644)
  try {
    await rm(path)
    await file.writeFile(content)
    return file
  } catch (cause) {
    await file.close()
    throw cause
  }
}

const PROBE_SCRIPT = [
  '[Script Info]',
  'PlayResX: 64',
  'PlayResY: 64',
  '[V4+ Styles]',
  'Format: Name,Fontname,Fontsize,PrimaryColour,Alignment',
  'Style: A,Sans,48,&H00FFFFFF,5',
  '[Events]',
  'Format: Start,End,Style,Text',
  'Dialogue: 0:00:00.00,0:00:09.00,A,8',
  '',
].join('\n')
/** One black pixel. */
const PROBE_LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const PROBE_MS = 20_000
const PROBE_PIXELS = 64 * 64

/** Whether ffmpeg can draw text here: it needs libass and a font. */
export async function canDrawText(ffmpeg: string): Promise<boolean> {
  await using script = await unlinkedFile(PROBE_SCRIPT)
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-s', '64x64']
  const args = [...raw, '-i', 'pipe:0', '-vf', `ass=filename=${SCRIPT_PATH}`, '-frames:v', '1', ...raw, 'pipe:1']
  const limits = { timeoutMs: PROBE_MS, processorSeconds: PROBE_MS / 1000, files: [script.fd] }
  const child = startDecoder(ffmpeg, args, limits)
  const ended = untilEnded(child, () => false)
  let isDrawn = false
  child.stdout.on('data', (pixels: Buffer) => {
    isDrawn ||= pixels.some((pixel) => pixel > 128)
  })
  child.stdin.end(Buffer.alloc(PROBE_PIXELS))
  await ended
  return isDrawn
}

/** Whether ffmpeg makes a file of a picture with the arguments that are used for footage. */
export async function canEncodePictures(ffmpeg: string): Promise<boolean> {
  await using script = await unlinkedFile(PROBE_SCRIPT)
  await using logo = await unlinkedFile(PROBE_LOGO)
  const size = { width: 64, height: 64 }
  const input = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-s', '64x64', '-i', 'pipe:0']
  const limits = { timeoutMs: PROBE_MS, processorSeconds: PROBE_MS / 1000, files: [script.fd, logo.fd] }
  const drawn = { png: PROBE_LOGO, width: 8, height: 8, x: 52, y: 52, padding: 2 }
  const args = encoderArguments({ size, shown: { from: 0, till: 1 }, hasSound: false, logo: drawn }, input)
  const child = startDecoder(ffmpeg, args, limits)
  let bytes = 0
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  const ended = untilEnded(child, () => false)
  child.stdin.end(Buffer.alloc(PROBE_PIXELS))
  return (await ended).startsWith('0:') && bytes > 0
}
