import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { type ErrorName, errorCatalogue, toErrorBody } from '@sightline/contract/errors'
import type { ExportContent } from '@sightline/contract/footage-proof'
import { createSemaphore } from '@sightline/platform/limits'
import type { Logger } from '@sightline/platform/log'
import { type AddedSound, type ClipPlan, type ClipSoundSource, clipGaps, planClip } from '../clips/index.ts'
import type { EncodingAbilities, PictureEncoder, PictureEncoderOptions, SoundEncoder } from '../decoder/index.ts'
import { ClipExport, type ExportedClip, manifestBox } from '../footage-proof/index.ts'
import { changesCodec, DerivedClip, SoundAgain } from '../re-encoding/index.ts'
import { FootageAway } from '../recording/index.ts'
import type { ClipDownloadDeps } from './clip-downloads.ts'
import type { ExportTicket } from './export-ticket-store.ts'

export interface ExportClipDeps
  extends Pick<ClipDownloadDeps, 'store' | 'keys' | 'reads' | 'files' | 'signExport' | 'now'> {
  /** Redeems the ticket; undefined if it is unknown, used or expired. */
  readonly consumeTicket: (ticket: string) => Promise<ExportTicket | undefined>
  readonly encoding?: ExportEncoding | undefined
  readonly log: Logger
}

/** The system's encoder. */
export interface ExportEncoding {
  readonly abilities: () => Promise<EncodingAbilities>
  readonly startSoundEncoder: () => SoundEncoder
  readonly startPictureEncoder: (options: Omit<PictureEncoderOptions, 'ffmpeg'>) => Promise<PictureEncoder>
}

/** Two as recorded and one that is re-encoded, as they are made. Further ones must retry later: exports can wait, recording and viewers can't. */
const CONCURRENT = 3
const RETRY_AFTER_S = 5
/** Says why text can't be drawn, if it isn't for want of an encoder. */
const CLIP_REFUSAL = 'x-clip-refusal'
/** A header has room for them. */
const MAX_LISTED_GAPS = 100
const MAX_REMEMBERED = 1000

/**
 * Sends the signed clip of one camera to the maker of an export. The ticket is all the permission that is needed: only the front
 * writes such tickets, for exports whose rights it checks, and it breaks off the connection when they end.
 */
export function exportClips(deps: ExportClipDeps) {
  const places = createSemaphore<'exports'>({ overall: { concurrency: CONCURRENT, queue: 0 } })
  const unsound = new Set<string>()
  return {
    async handle(res: ServerResponse, text: string): Promise<void> {
      // Before it takes a place, because anybody can send a wrong ticket. The maker has a new one for each request.
      const ticket = await deps.consumeTicket(text)
      if (ticket === undefined) return refuse(res, 'notFound')
      const done = await places.run('exports', () => send({ ...deps, unsound }, res, ticket))
      if (!done.ok) refuse(res, 'overloaded')
    },
  }
}

/** Whether a request is for the clip of an export, and its ticket. */
export function readExportTicket({ url = '' }: Pick<IncomingMessage, 'url'>): string | undefined {
  const { searchParams } = new URL(url, 'http://media')
  return searchParams.has('export_id') ? (searchParams.get('ticket') ?? '') : undefined
}

interface SendDeps extends ExportClipDeps {
  /** Exports whose sound couldn't be encoded: they are tried again with the sound only as it was recorded. */
  readonly unsound: Set<string>
}

async function send(deps: SendDeps, res: ServerResponse, ticket: ExportTicket): Promise<void> {
  const { accountId, cameraId, from, order, derived } = ticket
  const closing = new AbortController()
  res.on('close', () => closing.abort())
  const access = { keys: deps.keys, reads: deps.reads, files: deps.files, signal: closing.signal }
  const span = { from, till: Math.min(ticket.till, deps.now()) }
  const stream = { accountId, cameraId, stream: 'main' as const }
  const of = { ...access, ...span, store: deps.store, stream }
  const abilities = await deps.encoding?.abilities()
  if (derived !== undefined && abilities?.pictures !== true)
    return refuse(res, 'mediaNotSupported', 'this machine has no encoder for pictures')
  const sound = ticket.hasSound && derived?.speed === undefined ? 'kept' : 'left-out'
  const addsSound = abilities?.sound === true && !deps.unsound.has(order.exportId ?? '')
  const how = derived === undefined ? { isExact: true, addsSound } : { keepsAllSound: true }
  const plan = await planClip({ ...of, sound, ...how }).catch(awayOrThrow)
  if (plan === 'away') return refuse(res, 'timedOut')
  if (plan === undefined) return refuse(res, 'notFound', 'no footage for the selected time')
  if (derived !== undefined && changesCodec(plan)) {
    res.setHeader(CLIP_REFUSAL, 'codec')
    return refuse(res, 'mediaNotSupported', 'the camera changed its video codec in this time')
  }
  const clip = clipOf(deps, plan, { of, ticket })
  res.writeHead(200, {
    'content-type': 'video/mp4',
    'cache-control': 'private, no-store',
    ...aboutClip(plan, of, derived),
  })
  // The first bytes may take long, and the maker waits for the beginning.
  res.flushHeaders()
  const bytes = async function* () {
    yield* logged(clip.chunks(), (err) => {
      if (!closing.signal.aborted)
        deps.log.warn({ err, cameraId, exportId: order.exportId }, 'a file of footage broke off')
    })
    yield await manifestBox(await clip.content(), async (subject) => {
      const line = await deps.signExport(subject, order)
      if (line === undefined) throw new Error(`the export of camera ${cameraId} could not be signed`)
      return line
    })
  }
  // An export that disconnects isn't a server error; otherwise, the broken connection shows it that the file is incomplete.
  await pipeline(bytes, res, { signal: closing.signal }).catch(() => res.destroy())
}

async function* logged<T>(chunks: AsyncIterable<T>, onFault: (fault: unknown) => void): AsyncGenerator<T> {
  try {
    yield* chunks
  } catch (fault) {
    onFault(fault)
    throw fault
  }
}

type WholeClip = Pick<ClipExport, 'chunks'> & { content(): ExportContent | Promise<ExportContent> }

function clipOf(
  { encoding, unsound }: SendDeps,
  plan: ClipPlan,
  { of, ticket: { derived, order } }: { readonly of: ExportedClip; readonly ticket: ExportTicket },
): WholeClip {
  if (derived === undefined || encoding === undefined)
    return new ClipExport(
      plan,
      of,
      encoding &&
        ((added) =>
          watchedSound(encoding, added, () => {
            if (of.signal?.aborted !== true && order.exportId !== undefined) remember(unsound, order.exportId)
          })),
    )
  const { timeZone, watermark, speed } = derived
  const logo = derived.logo === undefined ? undefined : Buffer.from(derived.logo, 'base64')
  const overlay = timeZone === undefined ? undefined : { cameraName: order.cameraName ?? '', timeZone }
  return new DerivedClip(plan, of, { text: { overlay, watermark }, logo, speed, start: encoding.startPictureEncoder })
}

/** Sound that is encoded, and says so if it can't be. */
function watchedSound(encoding: ExportEncoding, added: AddedSound, onFault: () => void): ClipSoundSource {
  const again = new SoundAgain(added, encoding.startSoundEncoder())
  const watch = <T>(step: Promise<T>): Promise<T> =>
    step.catch((fault: unknown) => {
      onFault()
      throw fault
    })
  return {
    hear: (...heard) => watch(again.hear(...heard)),
    take: (index) => watch(again.take(index)),
    [Symbol.dispose]: () => again[Symbol.dispose](),
  }
}

function remember(known: Set<string>, id: string): void {
  known.add(id)
  const [oldest] = known
  if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest)
}

/** What the maker of the export needs to know before the end. */
function aboutClip(plan: ClipPlan, asked: ExportedClip, derived: ExportTicket['derived']) {
  const isReplaced = derived !== undefined && plan.sound === 'kept'
  const gaps = clipGaps(plan, asked)
  const listed = gaps.slice(0, MAX_LISTED_GAPS).map(({ from, till }) => `${from}-${till}`)
  return {
    'x-clip-bytes': plan.bytes,
    'x-clip-sound': isReplaced ? 'replaced' : plan.sound,
    'x-clip-gaps': [gaps.length, ...listed].join(' '),
    ...(derived !== undefined && { 'x-clip-derived': 'yes' }),
    ...(derived?.logo !== undefined && { 'x-clip-logo': 'yes' }),
    ...(derived?.speed !== undefined && { 'x-clip-speed': derived.speed }),
  }
}

function awayOrThrow(cause: unknown): 'away' {
  if (cause instanceof FootageAway) return 'away'
  throw cause
}

function refuse(res: ServerResponse, error: ErrorName, detail?: string): void {
  const text = JSON.stringify(toErrorBody({ error, ...(detail === undefined ? {} : { detail }) }))
  if (error === 'overloaded') res.setHeader('retry-after', RETRY_AFTER_S)
  const type = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) }
  res.writeHead(errorCatalogue[error].status, { ...type, 'cache-control': 'no-store' }).end(text)
}
