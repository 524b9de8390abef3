import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { clipSound } from '@sightline/contract/footage-proof'
import type { ExportedClipAnswer } from '@sightline/contract/media-plane'

/** How long a worker may take to begin; it reads the index of twelve hours. */
const BEGIN_MS = 60_000
/** How long nothing may come later: pictures may be encoded slowly, and a machine that has gone is noticed by its connection. */
const IDLE_MS = 15 * 60_000

const REFUSALS: ReadonlyMap<number | undefined, 'noFootage' | 'busy' | 'noEncoder'> = new Map([
  [404, 'noFootage'],
  [422, 'noEncoder'],
  [503, 'busy'],
])

function readHeaders(headers: IncomingHttpHeaders) {
  const { 'x-clip-bytes': bytes = 0, 'x-clip-sound': sound, 'x-clip-gaps': gaps = '0' } = headers
  const [all = '0', ...listed] = String(gaps).split(' ')
  return {
    bytes: Number(bytes),
    sound: clipSound.safeParse(sound).data,
    allGaps: Number(all),
    gaps: listed.map((gap) => {
      const [from = 0, till = 0] = gap.split('-').map(Number)
      return { from, till }
    }),
    isDerived: headers['x-clip-derived'] !== undefined,
    hasLogo: headers['x-clip-logo'] !== undefined,
    speed: Number(headers['x-clip-speed'] ?? 1),
  }
}

/** The answer of a worker to the maker of an export, once it begins. The signal ends it at any time. */
export async function readExportedClip(
  asked: ClientRequest | undefined,
  signal: AbortSignal,
  { beginMs = BEGIN_MS, idleMs = IDLE_MS }: { readonly beginMs?: number; readonly idleMs?: number } = {},
): Promise<ExportedClipAnswer> {
  if (asked === undefined) return { kind: 'away' }
  const stop = () => asked.destroy(new Error('the export has ended'))
  signal.addEventListener('abort', stop, { once: true })
  asked.setTimeout(beginMs, () => asked.destroy(new Error('the media worker is silent')))
  const answer = await new Promise<IncomingMessage | undefined>((resolve) => {
    asked.once('response', resolve)
    asked.on('error', () => resolve(undefined))
    asked.end()
  })
  if (answer === undefined) return { kind: 'away' }
  asked.setTimeout(idleMs)
  if (answer.statusCode === 200) {
    answer.once('close', () => signal.removeEventListener('abort', stop))
    return { kind: 'clip', ...readHeaders(answer.headers), chunks: answer }
  }
  answer.resume()
  const kind = REFUSALS.get(answer.statusCode) ?? 'away'
  return kind === 'noEncoder' && answer.headers['x-clip-refusal'] === 'codec' ? { kind: 'codecChange' } : { kind }
}
