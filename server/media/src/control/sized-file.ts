import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ByteRange, parseRange } from '@sightline/platform/file-reply'
import { sendChunks } from './send-chunks.ts'

/** A video whose length is known before it is read. */
export interface SizedFile {
  readonly bytes: number
  readonly etag: string
  /** The `content-disposition`. */
  readonly disposition: string
  /** Nothing else keeps the chunks. */
  readonly read: (range: ByteRange) => AsyncIterable<Uint8Array>
  /** Ends sending. */
  readonly signal: AbortSignal
}

/** Sends all of a file or a range of it (RFC 9110 §14), as fast as the client takes it. */
export async function sendSizedFile(req: IncomingMessage, res: ServerResponse, file: SizedFile): Promise<void> {
  const { bytes, etag, disposition, read, signal } = file
  // What has changed since is sent from its beginning (RFC 9110 §13.1.5).
  const isSame = req.headers['if-range'] === undefined || req.headers['if-range'] === etag
  const range = isSame ? parseRange(req.headers.range, bytes) : undefined
  if (range === 'unsatisfiable') {
    res.writeHead(416, { 'content-range': `bytes */${bytes}`, 'content-length': 0 }).end()
    return
  }
  const { from, till } = range ?? { from: 0, till: bytes }
  const partial = range && { 'content-range': `bytes ${from}-${till - 1}/${bytes}` }
  res.writeHead(range === undefined ? 200 : 206, {
    etag,
    'content-type': 'video/mp4',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-disposition': disposition,
    ...partial,
    'content-length': till - from,
  })
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  // The length tells a client that lost permission that bytes are missing.
  await sendChunks(read({ from, till }), res, signal)
}
