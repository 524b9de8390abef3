import type { ClientRequest, IncomingMessage } from 'node:http'
import { clipSound } from '@sightline/contract/footage-proof'
import type { ExportedClipAnswer } from '@sightline/contract/media-plane'

/** How long a worker may take to begin; it reads the index of twelve hours. */
const BEGIN_MS = 60_000

const REFUSALS: ReadonlyMap<number | undefined, 'noFootage' | 'busy'> = new Map([
  [404, 'noFootage'],
  [503, 'busy'],
])

/** The answer of a worker to the maker of an export, once it begins. The signal ends it at any time. */
export async function readExportedClip(
  asked: ClientRequest | undefined,
  signal: AbortSignal,
): Promise<ExportedClipAnswer> {
  if (asked === undefined) return { kind: 'away' }
  const stop = () => asked.destroy(new Error('the export has ended'))
  signal.addEventListener('abort', stop, { once: true })
  asked.setTimeout(BEGIN_MS, () => asked.destroy(new Error('the media worker is silent')))
  const answer = await new Promise<IncomingMessage | undefined>((resolve) => {
    asked.once('response', resolve)
    asked.on('error', () => resolve(undefined))
    asked.end()
  })
  if (answer === undefined) return { kind: 'away' }
  if (answer.statusCode === 200) {
    answer.once('close', () => signal.removeEventListener('abort', stop))
    const { 'x-clip-bytes': bytes = 0, 'x-clip-sound': sound } = answer.headers
    return { kind: 'clip', bytes: Number(bytes), sound: clipSound.safeParse(sound).data ?? 'kept', chunks: answer }
  }
  answer.resume()
  return { kind: REFUSALS.get(answer.statusCode) ?? 'away' }
}
