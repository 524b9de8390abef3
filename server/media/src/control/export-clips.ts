import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { type ErrorName, errorCatalogue, toErrorBody } from '@sightline/contract/errors'
import { createSemaphore } from '@sightline/platform/limits'
import { planClip } from '../clips/index.ts'
import type { EncodingAbilities, SoundEncoder } from '../decoder/index.ts'
import { ClipExport } from '../footage-proof/index.ts'
import { SoundAgain } from '../re-encoding/index.ts'
import { FootageAway } from '../recording/index.ts'
import type { ClipDownloadDeps } from './clip-downloads.ts'
import type { ExportTicket } from './export-ticket-store.ts'

export interface ExportClipDeps
  extends Pick<ClipDownloadDeps, 'store' | 'keys' | 'reads' | 'files' | 'signExport' | 'now'> {
  /** Redeems the ticket; undefined if it is unknown, used or expired. */
  readonly consumeTicket: (ticket: string) => Promise<ExportTicket | undefined>
  readonly encoding?: ExportEncoding | undefined
}

/** The system's encoder. */
export interface ExportEncoding {
  readonly abilities: () => Promise<EncodingAbilities>
  readonly startSoundEncoder: () => SoundEncoder
}

/** Further ones must retry later: exports can wait, recording and viewers can't. */
const CONCURRENT = 2
const RETRY_AFTER_S = 5

/**
 * Sends the signed clip of one camera to the maker of an export. The ticket is all the permission that is needed: only the front
 * writes such tickets, for exports whose rights it checks, and it breaks off the connection when they end.
 */
export function exportClips(deps: ExportClipDeps) {
  const places = createSemaphore<'exports'>({ overall: { concurrency: CONCURRENT, queue: 0 } })
  return {
    async handle(res: ServerResponse, ticket: string): Promise<void> {
      const done = await places.run('exports', () => send(deps, res, ticket))
      if (!done.ok) refuse(res, 'overloaded')
    },
  }
}

/** Whether a request is for the clip of an export, and its ticket. */
export function readExportTicket({ url = '' }: Pick<IncomingMessage, 'url'>): string | undefined {
  const { searchParams } = new URL(url, 'http://media')
  return searchParams.has('export_id') ? (searchParams.get('ticket') ?? '') : undefined
}

async function send(deps: ExportClipDeps, res: ServerResponse, text: string): Promise<void> {
  const ticket = await deps.consumeTicket(text)
  if (ticket === undefined) return refuse(res, 'notFound')
  const { accountId, cameraId, from, order, hasSound } = ticket
  const closing = new AbortController()
  res.on('close', () => closing.abort())
  const access = { keys: deps.keys, reads: deps.reads, files: deps.files, signal: closing.signal }
  const span = { from, till: Math.min(ticket.till, deps.now()) }
  const stream = { accountId, cameraId, stream: 'main' as const }
  const of = { ...access, ...span, store: deps.store, stream }
  const { encoding } = deps
  const addsSound = (await encoding?.abilities())?.sound === true
  const sound = hasSound ? 'kept' : 'left-out'
  const plan = await planClip({ ...of, sound, isExact: true, addsSound }).catch(awayOrThrow)
  if (plan === 'away') return refuse(res, 'timedOut')
  if (plan === undefined) return refuse(res, 'notFound', 'no footage for the selected time')
  const about = { 'x-clip-bytes': plan.bytes, 'x-clip-sound': plan.sound }
  res.writeHead(200, { 'content-type': 'video/mp4', 'cache-control': 'private, no-store', ...about })
  const clip = new ClipExport(plan, of, encoding && ((added) => new SoundAgain(added, encoding.startSoundEncoder())))
  const bytes = async function* () {
    yield* clip.chunks()
    yield await clip.manifestBox(async (subject) => {
      const line = await deps.signExport(subject, order)
      if (line === undefined) throw new Error(`the export of camera ${cameraId} could not be signed`)
      return line
    })
  }
  // An export that disconnects isn't a server error; otherwise, the broken connection shows it that the file is incomplete.
  await pipeline(bytes, res, { signal: closing.signal }).catch(() => res.destroy())
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
