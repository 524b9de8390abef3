import type { IncomingMessage, ServerResponse } from 'node:http'
import { toDateTime } from '@sightline/contract/wire'
import { appendAudit } from '@sightline/platform/audit'
import type { Db, IdSource } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { tokenSha256 } from '@sightline/platform/sessions'
import { type ClipDownloadDeps, clipDownloads, type SignExported } from './clip-downloads.ts'
import { type ExportEncoding, exportClips, readExportTicket } from './export-clips.ts'
import { consumeExportTicket } from './export-ticket-store.ts'
import { findClipEnd } from './footage-disk-store.ts'
import type { StreamSession, StreamSessions, StreamUse } from './stream-sessions.ts'
import type { WorkerTally } from './worker-figures.ts'

/** `address` is the client's, as the edge saw it. */
export type SendClip = (req: IncomingMessage, res: ServerResponse, address: string) => void

/** A viewer is counted while being served. */
export async function countViewer<T>(viewers: WorkerTally['viewers'], use: StreamUse, served: Promise<T>): Promise<T> {
  viewers[use]++
  try {
    return await served
  } finally {
    viewers[use]--
  }
}

export interface ClipServingDeps extends Pick<ClipDownloadDeps, 'store' | 'keys' | 'reads' | 'files' | 'now'> {
  readonly db: Db
  readonly ids: IdSource
  readonly signExport?: SignExported
  readonly encoding?: ExportEncoding | undefined
  readonly log: Logger
}

/** Answers requests for clips: downloads of viewers, and those of the maker of exports. */
export function openClips(deps: ClipServingDeps, sessions: StreamSessions, tally: WorkerTally): SendClip {
  const signExport = deps.signExport ?? (async () => undefined)
  const consume = (ticket: string) => consumeExportTicket(deps.db, tokenSha256(ticket), deps.now())
  const exports = exportClips({ ...deps, signExport, consumeTicket: consume })
  const clips = clipDownloads({
    ...deps,
    sessions,
    signExport,
    findEnd: (wanted) => findClipEnd(deps.db, wanted),
    onBegin: (session, address) => recordExport(deps, session, address),
    onOverload: () => void tally.refused.streams++,
    counted: ({ use }, download) => countViewer(tally.viewers, use, download()),
  })
  const answer: (...asked: Parameters<SendClip>) => Promise<void> = (req, res, address) => {
    const ticket = readExportTicket(req)
    return ticket === undefined ? clips.handle(req, res, address) : exports.handle(res, ticket)
  }
  return (req, res, address) =>
    void answer(req, res, address).catch((err: unknown) => {
      deps.log.error({ err }, 'sending a file of footage failed because of a bug')
      res.destroy()
    })
}

/** Records who exported which footage. */
export async function recordExport(
  { db, ids }: Pick<ClipServingDeps, 'db' | 'ids'>,
  { caller, accountId, cameraId, from, till }: StreamSession,
  address: string,
): Promise<void> {
  const span = { from: toDateTime(from ?? 0), till: toDateTime(till ?? 0) }
  const entry = { action: 'export', accountId, target: { kind: 'camera', id: cameraId }, after: span }
  await appendAudit(db.plain, { ids, caller, address, entry })
}
