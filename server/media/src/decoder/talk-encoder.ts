import { AAC_FRAME_SAMPLES, G711_RATE, parseAdts } from '../codec/index.ts'
import { startDecoder, untilEnded } from './sandbox.ts'
import { withinMs } from './within-ms.ts'

/** Encodes what someone says for a camera that takes AAC only, while they say it. */
export interface TalkEncoder extends Disposable {
  /** G.711 µ-law, 8000 samples a second. Resolves when less than a second of what was given waits. @throws if the process has ended. */
  push(samples: Uint8Array): Promise<void>
  /** Nothing follows: resolves when all of it was sent, or soon after if that takes long. */
  finish(): Promise<void>
}

export interface TalkEncoderOptions {
  readonly ffmpeg: string
  /** What the camera takes. */
  readonly sampleRate: number
  readonly channels: number
  /** One AAC-LC frame without a header; the next comes when it has resolved. */
  readonly onFrame: (frame: Uint8Array) => Promise<void>
}

const BITS_PER_SECOND = '32k'
const PROCESSOR_SECONDS = 60
const MOST_AHEAD = 0.8 * G711_RATE
/** What the encoder may keep before it makes a frame of it: half a second, and the frames that it looks ahead. */
const HELD = 0.5 * G711_RATE
const HELD_FRAMES = 3
const STUCK_MS = 3000
const LAST_MS = 1500

/** Starts ffmpeg for one talk. */
export function startTalkEncoder({ ffmpeg, sampleRate, channels, onFrame }: TalkEncoderOptions): TalkEncoder {
  const sound = ['-f', 'mulaw', '-ar', String(G711_RATE), '-ac', '1']
  const input = ['-probesize', '32', '-analyzeduration', '0', '-fflags', 'nobuffer', ...sound, '-i', 'pipe:0']
  const format = ['-ac', String(channels), '-ar', String(sampleRate), '-c:a', 'aac', '-b:a', BITS_PER_SECOND]
  const output = [...format, '-f', 'adts', '-flush_packets', '1', 'pipe:1']
  const child = startDecoder(ffmpeg, [...input, ...output], { processorSeconds: PROCESSOR_SECONDS })
  const frameSamples = (AAC_FRAME_SAMPLES * G711_RATE) / sampleRate
  const held = HELD + HELD_FRAMES * frameSamples
  let given = 0
  let sent = 0
  let isOver = false
  let wake = Promise.withResolvers<void>()
  const tell = () => {
    wake.resolve()
    wake = Promise.withResolvers()
  }
  const send = async () => {
    let waiting: Buffer = Buffer.alloc(0)
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      waiting = Buffer.concat([waiting, chunk])
      for (let head = parseAdts(waiting); head !== undefined; head = parseAdts(waiting)) {
        if (waiting.length < head.frameBytes) break
        await onFrame(Uint8Array.from(waiting.subarray(head.headerBytes, head.frameBytes)))
        waiting = waiting.subarray(head.frameBytes)
        sent += frameSamples
        tell()
      }
    }
  }
  const ended = Promise.allSettled([send(), untilEnded(child, () => false)]).then(() => {
    isOver = true
    tell()
  })
  return {
    async push(samples) {
      if (isOver) throw new Error('the sound could not be encoded')
      child.stdin.write(Buffer.from(samples))
      given += samples.length
      while (given - sent > MOST_AHEAD + held && !isOver) {
        const before = sent
        await withinMs(wake.promise, STUCK_MS)
        if (sent === before) throw new Error('the encoder of sound is stuck')
      }
    },
    async finish() {
      child.stdin.end()
      await withinMs(ended, LAST_MS)
    },
    [Symbol.dispose]() {
      child.kill('SIGKILL')
    },
  }
}
