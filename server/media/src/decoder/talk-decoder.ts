import { G711_RATE, parseAdts } from '../codec/index.ts'
import { startDecoder, untilEnded } from './sandbox.ts'
import { withinMs } from './within-ms.ts'

/** Decodes what someone says to a camera while they say it. */
export interface TalkDecoder extends Disposable {
  /** The next bytes, cut anywhere. Resolves when less than a second of what was given waits. @throws {@link NotAac} */
  push(bytes: Uint8Array): Promise<void>
  /** Nothing follows: resolves when all of it was heard, or soon after if that takes long. */
  finish(): Promise<void>
}

export interface TalkDecoderOptions {
  readonly ffmpeg: string
  /** Sound in G.711 µ-law, 8000 samples a second, one byte each; the next comes when it has resolved. */
  readonly onSound: (samples: Uint8Array) => Promise<void>
}

/** What came isn't AAC in ADTS frames (ISO 13818-7 §6.2), or nothing can be made of it. */
export class NotAac extends Error {}

/** A frame has as many samples, at its own rate. */
const FRAME_SAMPLES = 1024
/** ADTS says the length of a frame in 13 bits. */
const LONGEST_FRAME_BYTES = 0x1f_ff
const HEADER_BYTES = 7
const MOST_AHEAD = 0.8 * G711_RATE
/** The decoder holds back up to three frames until more comes or the end. */
const HELD_FRAMES = 3
const STUCK_MS = 3000
const LAST_MS = 1000
const PROCESSOR_SECONDS = 60

/** Starts ffmpeg for one talk. */
export function startTalkDecoder({ ffmpeg, onSound }: TalkDecoderOptions): TalkDecoder {
  const input = ['-probesize', '32', '-analyzeduration', '0', '-f', 'aac', '-i', 'pipe:0']
  const output = ['-vn', '-ac', '1', '-ar', String(G711_RATE), '-f', 'mulaw', '-flush_packets', '1', 'pipe:1']
  const child = startDecoder(ffmpeg, [...input, ...output], { processorSeconds: PROCESSOR_SECONDS })
  let waiting: Buffer = Buffer.alloc(0)
  /** Samples that were given to the decoder, and how many of them were heard. */
  let given = 0
  let heard = 0
  let longestFrame = 0
  let isOver = false
  let wake = Promise.withResolvers<void>()
  const tell = () => {
    wake.resolve()
    wake = Promise.withResolvers()
  }
  const hear = async () => {
    for await (const samples of child.stdout as AsyncIterable<Buffer>) {
      await onSound(samples)
      heard += samples.length
      tell()
    }
  }
  const ended = Promise.allSettled([hear(), untilEnded(child, () => false)]).then(() => {
    isOver = true
    tell()
  })

  const takeFrames = () => {
    for (let head = parseAdts(waiting); head !== undefined; head = parseAdts(waiting)) {
      if (waiting.length < head.frameBytes) return
      const samples = (FRAME_SAMPLES * G711_RATE) / head.config.sampleRate
      longestFrame = Math.max(longestFrame, samples)
      given += samples
      child.stdin.write(Buffer.from(waiting.subarray(0, head.frameBytes)))
      waiting = waiting.subarray(head.frameBytes)
    }
    if (waiting.length >= HEADER_BYTES) throw new NotAac('the sound is not AAC in ADTS frames')
  }
  /** Whether no more than `most` samples wait; false once nothing is heard for a while. */
  const untilHeard = async (most: number): Promise<boolean> => {
    while (given - heard > most && !isOver) {
      const before = heard
      await withinMs(wake.promise, STUCK_MS)
      if (heard === before) return false
    }
    return !isOver
  }
  return {
    async push(bytes) {
      if (isOver) throw new NotAac('the sound could not be decoded')
      waiting = Buffer.concat([waiting, bytes])
      takeFrames()
      if (waiting.length > LONGEST_FRAME_BYTES) throw new NotAac('the sound is not AAC in ADTS frames')
      if (!(await untilHeard(MOST_AHEAD + HELD_FRAMES * longestFrame)))
        throw new NotAac('the sound could not be decoded')
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
