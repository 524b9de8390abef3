import { canDrawText } from './picture-encoder.ts'
import { startDecoder } from './sandbox.ts'

/** What the system's ffmpeg can make of exported footage; builds differ. */
export interface EncodingAbilities {
  /** AAC. */
  readonly sound: boolean
  /** H.264, with text in the picture. */
  readonly pictures: boolean
}

const TIMEOUT_MS = 10_000

/** Asks ffmpeg what it was built with. None if it doesn't answer. */
export async function readEncodingAbilities(ffmpeg: string | undefined): Promise<EncodingAbilities> {
  if (ffmpeg === undefined) return { sound: false, pictures: false }
  const [encoders, drawsText] = await Promise.all([listEncoders(ffmpeg), canDrawText(ffmpeg).catch(() => false)])
  return { sound: encoders.has('aac'), pictures: drawsText && ['libx264', 'aac'].every((name) => encoders.has(name)) }
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
