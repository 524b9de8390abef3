import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { type ApiError, errorCatalogue, toErrorBody } from '@sightline/contract/errors'
import { MS_PER_SECOND } from '@sightline/platform/clock'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { parseRange } from '@sightline/platform/file-reply'
import { createSemaphore } from '@sightline/platform/limits'
import type { Logger } from '@sightline/platform/log'
import type { ArtefactFiles } from './artefact-file.ts'
import { keyContext } from './sealing-contexts.ts'
import type { ExportRow } from './store.ts'

/** A request for a file. `address` is the client's, as the edge saw it. */
export interface FileRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly address: string
}

/** Answers requests for files. */
export type SendFile = (req: IncomingMessage, res: ServerResponse, address: string) => void

/** Anybody with a link may ask, and each file that is sent takes this process's time. A paused video keeps its place. */
const PLACES = { perKey: { concurrency: 16 }, overall: { concurrency: 400 } }

/** Answers with `serve`, for a limited number of requests per address at once; a bug in it is logged and answered as one. */
export function fileSender(log: Logger, serve: (request: FileRequest) => Promise<void>): SendFile {
  const places = createSemaphore<string>(PLACES)
  const answer = async (request: FileRequest) => {
    const sent = await places.run(request.address, () => serve(request))
    if (!sent.ok) refuse(request.res, { error: 'overloaded' })
  }
  return (req, res, address) =>
    void answer({ req, res, address }).catch((err: unknown) => {
      log.error({ err }, 'sending a file of footage failed because of a bug')
      if (res.headersSent) res.destroy()
      else refuse(res, { error: 'internal' })
    })
}

interface ArtefactDeps {
  readonly encryption: EnvelopeEncryption
  readonly artefacts: ArtefactFiles
}

type ArtefactRow = Pick<ExportRow, 'account_id' | 'export_id' | 'attempt' | 'key_sealed' | 'size_bytes' | 'sha256'>

interface SentFile {
  readonly row: ArtefactRow
  /** `Content-Disposition`. */
  readonly disposition: string
  readonly type: string
}

/** Sends a file that is done, whole or the range that is asked for, as long as it is permitted, which is asked each second. */
export async function sendArtefact(
  deps: ArtefactDeps,
  { req, res }: Pick<FileRequest, 'req' | 'res'>,
  { row, disposition, type }: SentFile,
  isPermitted: () => Promise<boolean>,
): Promise<void> {
  const size = row.size_bytes ?? 0
  const etag = `"${row.sha256?.toString('base64url') ?? ''}"`
  const isSame = req.headers['if-range'] === undefined || req.headers['if-range'] === etag
  const range = isSame ? parseRange(req.headers.range, size) : undefined
  if (range === 'unsatisfiable') {
    res.writeHead(416, { 'content-range': `bytes */${size}`, 'content-length': 0 }).end()
    return
  }
  const { from, till } = range ?? { from: 0, till: size }
  res.writeHead(range === undefined ? 200 : 206, {
    etag,
    'content-type': type,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-disposition': disposition,
    'content-length': till - from,
    ...(range !== undefined && { 'content-range': `bytes ${from}-${till - 1}/${size}` }),
  })
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  await send(deps, { row, res, range: { from, till } }, isPermitted)
}

/** A database that hangs answers nothing: a file ends when its permission is as old as this, as streams do. */
const UNCONFIRMED_MS = 10 * MS_PER_SECOND

interface Sending {
  readonly row: ArtefactRow
  readonly res: ServerResponse
  readonly range: { readonly from: number; readonly till: number }
}

async function send(
  { encryption, artefacts }: ArtefactDeps,
  { row, res, range }: Sending,
  isPermitted: () => Promise<boolean>,
): Promise<void> {
  const of = { accountId: row.account_id, exportId: row.export_id }
  const key = Buffer.from(encryption.open(keyContext(of), row.key_sealed ?? Buffer.alloc(0)), 'base64')
  await using file = await artefacts.open({ ...of, attempt: row.attempt }, { key, bytes: row.size_bytes ?? 0 })
  const ending = new AbortController()
  const checking = setInterval(keepPermitted(isPermitted, ending), MS_PER_SECOND)
  try {
    // A client that disconnects or loses permission isn't a server error; the length tells the client that bytes are missing.
    await pipeline(file.read(range), res, { signal: ending.signal }).catch(() => res.destroy())
  } finally {
    clearInterval(checking)
  }
}

/** Asks whether a file may still be sent, one question at a time, and ends it if not. */
function keepPermitted(isPermitted: () => Promise<boolean>, ending: AbortController): () => void {
  let confirmedAt = performance.now()
  let isAsking = false
  const ask = async () => {
    isAsking = true
    // Without the database, permission can't be confirmed, so nothing more is sent.
    const isFine = await isPermitted().catch(() => false)
    isAsking = false
    if (isFine) confirmedAt = performance.now()
    else ending.abort()
  }
  return () => {
    if (performance.now() - confirmedAt > UNCONFIRMED_MS) ending.abort()
    else if (!isAsking) void ask()
  }
}

/** Answers with an error as the API does. */
export function refuse(res: ServerResponse, failure: ApiError): void {
  const text = JSON.stringify(toErrorBody(failure))
  const type = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) }
  res.writeHead(errorCatalogue[failure.error].status, { ...type, 'cache-control': 'no-store' }).end(text)
}
