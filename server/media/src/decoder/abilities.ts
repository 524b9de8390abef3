import { canDrawText, canEncodePictures } from './picture-encoder.ts'
import { startDecoder } from './sandbox.ts'

/** What the system's ffmpeg can make of exported footage; builds differ. */
export interface EncodingAbilities {
  /** AAC. */
  readonly sound: boolean
  /** H.264, with text and a logo in the picture. */
  readonly pictures: boolean
}

const TIMEOUT_MS = 10_000
const ASK_EVERY_MS = 30_000

const NONE: EncodingAbilities = { sound: false, pictures: false }

/** Tries what ffmpeg can do. None if it doesn't answer. */
export async function readEncodingAbilities(ffmpeg: string | undefined): Promise<EncodingAbilities> {
  if (ffmpeg === undefined) return NONE
  const [encoders, ...tried] = await Promise.all([
    listEncoders(ffmpeg),
    canDrawText(ffmpeg).catch(() => false),
    canEncodePictures(ffmpeg).catch(() => false),
  ])
  const sound = encoders.has('aac')
  return { sound, pictures: sound && tried.every((isPossible) => isPossible) }
}

/**
 * Keeps what can be done, and asks again for the rest: a machine that is busy while it starts, or out of memory for a moment, may not answer
 * in time.
 */
export class EncoderProbe {
  readonly #read: () => Promise<EncodingAbilities>
  readonly #everyMs: number
  #known = NONE
  #asking: Promise<EncodingAbilities> | undefined
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(read: () => Promise<EncodingAbilities>, everyMs: number = ASK_EVERY_MS) {
    this.#read = read
    this.#everyMs = everyMs
  }

  /** After what is missing was asked for again. */
  ask(): Promise<EncodingAbilities> {
    if (this.#isComplete()) return Promise.resolve(this.#known)
    this.#asking ??= this.#askNow().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  /** What is known now; what is missing is asked for in the background, and known the next time. */
  now(): EncodingAbilities {
    if (!this.#isComplete() && performance.now() - this.#askedAt >= this.#everyMs) void this.ask()
    return this.#known
  }

  #isComplete(): boolean {
    return this.#known.sound && this.#known.pictures
  }

  async #askNow(): Promise<EncodingAbilities> {
    this.#askedAt = performance.now()
    const { sound, pictures } = await this.#read().catch(() => NONE)
    this.#known = { sound: sound || this.#known.sound, pictures: pictures || this.#known.pictures }
    return this.#known
  }
}

/** Each line of ffmpeg's list has flags, a name, and what it is. */
async function listEncoders(ffmpeg: string): Promise<ReadonlySet<string>> {
  const child = startDecoder(ffmpeg, ['-encoders'], { timeoutMs: TIMEOUT_MS, processorSeconds: TIMEOUT_MS / 1000 })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  child.stderr.resume()
  child.stdin.on('error', () => undefined)
  await new Promise<void>((resolve) => {
    child.on('error', () => resolve())
    child.on('close', () => resolve())
  })
  return new Set(text.split('\n').flatMap((line) => line.trim().split(/\s+/)[1] ?? []))
}
