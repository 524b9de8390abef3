import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { startDecoder, untilEnded } from './sandbox.ts'

export interface PictureEncoderOptions {
  readonly ffmpeg: string
  /** Of Advanced SubStation Alpha: what is drawn into the pictures. It has texts of users, so it isn't an argument. */
  readonly script: string
  /** Pixels; both even. */
  readonly size: { readonly width: number; readonly height: number }
  /** Seconds of the input that the output has. */
  readonly shown: { readonly from: number; readonly till: number }
  readonly hasSound: boolean
  /** Its first half second, far before the rest, only opens the encoder and isn't heard. */
  readonly isSoundLate?: boolean
}

/** Makes a fragmented MP4 file with H.264 and AAC of one that it is given, with text in the pictures. */
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

/** Starts ffmpeg; it runs on less processor time than what records. */
export async function startPictureEncoder(options: PictureEncoderOptions): Promise<PictureEncoder> {
  await using script = await unlinkedFile(options.script)
  const child = startDecoder(options.ffmpeg, encoderArguments(options), {
    processorSeconds: PROCESSOR_SECONDS,
    files: [script.fd],
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
  { size, shown, hasSound, isSoundLate = false }: Omit<PictureEncoderOptions, 'ffmpeg' | 'script'>,
  input: readonly string[] = FOOTAGE_INPUT,
): readonly string[] {
  const { width, height } = size
  const [from, till] = [shown.from.toFixed(6), shown.till.toFixed(6)]
  const pictures = [
    `scale=${width}:${height}`,
    'format=yuv420p',
    `ass=filename=${SCRIPT_PATH}`,
    `trim=start=${from}:end=${till}`,
    `setpts=PTS-(${from})/TB`,
  ]
  const most = Math.max(MIN_BITS_PER_SECOND, width * height * BITS_PER_PIXEL)
  const mute = isSoundLate ? [`volume=volume=0:enable='lt(t,${(shown.from + PRIMER_SECONDS).toFixed(6)})'`] : []
  const sound = [...mute, `atrim=start=${from}:end=${till}`, `asetpts=PTS-(${from})/TB`, 'aresample=async=1000']
  return [
    ...[...input, '-map', '0:v:0', '-filter_threads', '1'],
    ...['-vf', pictures.join(','), '-vsync', 'passthrough', '-enc_time_base', '-1'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', QUALITY, '-g', GROUP, '-bf', '0', '-threads', '1'],
    ...['-maxrate', String(most), '-bufsize', String(2 * most)],
    ...(hasSound ? ['-map', '0:a:0?', '-af', sound.join(','), '-c:a', 'aac', '-b:a', '64k'] : ['-an']),
    ...['-map_metadata', '-1', '-video_track_timescale', TICKS_PER_SECOND, '-flush_packets', '1'],
    ...['-f', 'mp4', '-movflags', '+frag_keyframe+delay_moov+default_base_moof+skip_trailer', 'pipe:1'],
  ]
}

/** A file without a name, so that nothing is left of it whatever happens. The process reads it by its descriptor. */
async function unlinkedFile(content: string): Promise<FileHandle> {
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
  const size = { width: 64, height: 64 }
  const input = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-s', '64x64', '-i', 'pipe:0']
  const limits = { timeoutMs: PROBE_MS, processorSeconds: PROBE_MS / 1000, files: [script.fd] }
  const args = encoderArguments({ size, shown: { from: 0, till: 1 }, hasSound: false }, input)
  const child = startDecoder(ffmpeg, args, limits)
  let bytes = 0
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  const ended = untilEnded(child, () => false)
  child.stdin.end(Buffer.alloc(PROBE_PIXELS))
  return (await ended).startsWith('0:') && bytes > 0
}
