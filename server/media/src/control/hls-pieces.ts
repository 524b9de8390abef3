import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type PieceAddresses, type RecordedList, variantPlaylist } from '../hls/index.ts'
import { isEndCode, refuse, streamErrors } from './http-answers.ts'
import type { LiveSource } from './live-sources.ts'
import type { StreamSession } from './stream-sessions.ts'

/** The last part of its path. */
export const MEDIA_PLAYLIST = 'media.m3u8'
export const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl'
/** A camera that is away for longer is offline. */
export const AWAY_MS = 10_000
/** Deadline for a piece that a player requests in advance; after it, the camera counts as late. */
const WAIT_MS = 12_000

export type Source =
  | { readonly kind: 'live'; readonly live: LiveSource }
  | { readonly kind: 'recorded'; readonly list: RecordedList }

/** A player, from its first playlist until it stops asking. */
export interface HlsPlayer {
  readonly key: string
  readonly session: StreamSession
  readonly source: Source
  readonly latency: 'low' | 'usual'
  usedAt: number
  readonly close: () => void
}

/** One request of a player. */
export interface Piece {
  readonly player: HlsPlayer
  /** The last part of the path. */
  readonly name: string
  readonly parameters: URLSearchParams
}

/** Relative, so that they work behind any proxy. */
function addressesOf({ key, session: { cameraId } }: HlsPlayer): PieceAddresses & { readonly media: string } {
  const query = `camera_id=${cameraId}&session=${encodeURIComponent(key)}`
  return {
    media: `${MEDIA_PLAYLIST}?${query}`,
    init: (map) => `init.mp4?${query}&map=${map}`,
    segment: (number) => `segment.m4s?${query}&number=${number}`,
    part: (number, part) => `part.m4s?${query}&number=${number}&part=${part}`,
  }
}

export function toVariantPlaylist(player: HlsPlayer): string {
  const { source } = player
  const tracks = source.kind === 'live' ? source.live.packager.tracks : source.list.tracks
  return variantPlaylist(tracks ?? [], addressesOf(player).media)
}

const uncached = { 'cache-control': 'private, no-store' } as const

export const sendPlaylist = (res: ServerResponse, text: string): void =>
  void res
    .writeHead(200, { ...uncached, 'content-type': PLAYLIST_TYPE, 'content-length': Buffer.byteLength(text) })
    .end(text)

function sendBytes(res: ServerResponse, chunks: readonly Uint8Array[]): void {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  res.writeHead(200, { ...uncached, 'content-type': 'video/mp4', 'content-length': length })
  for (const chunk of chunks) res.write(chunk)
  res.end()
}

/** The number of a piece; undefined if invalid. */
function numberOf(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name) ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** A playlist, or a segment of which all or one part is asked for. */
interface WantedPiece {
  readonly isPlaylist: boolean
  readonly segment: number | undefined
  readonly part: number | undefined
}

function toWantedPiece({ name, parameters }: Piece): WantedPiece {
  const isPlaylist = name === MEDIA_PLAYLIST
  if (isPlaylist)
    return { isPlaylist, segment: numberOf(parameters, '_HLS_msn'), part: numberOf(parameters, '_HLS_part') }
  const part = name === 'part.m4s' ? (numberOf(parameters, 'part') ?? 0) : undefined
  return { isPlaylist, segment: numberOf(parameters, 'number') ?? -1, part }
}

export async function answerLive(piece: Piece, { packager }: LiveSource, res: ServerResponse): Promise<void> {
  const { window } = packager
  const { player, name, parameters } = piece
  if (name === 'init.mp4') return sendIfThere(res, asList(window.init(numberOf(parameters, 'map') ?? -1)))
  const { isPlaylist, segment, part } = toWantedPiece(piece)
  if (segment !== undefined && !window.isNear(segment)) return refuse(res, 'validation')
  const isStarted = () => (player.latency === 'low' ? !window.isEmpty : window.hasWhole)
  const isThere = () => (segment === undefined ? isStarted() : window.has({ segment, part }))
  await waitFor(() => isThere() || isAway(packager.awaySince), { piece, packager, res })
  const reason: unknown = player.session.signal.reason
  if (player.session.signal.aborted) return refuse(res, streamErrors[isEndCode(reason) ? reason : 16])
  if (isAway(packager.awaySince)) return refuse(res, 'cameraOffline')
  if (!isThere()) return refuse(res, 'timedOut')
  if (isPlaylist) return sendPlaylist(res, window.playlist(addressesOf(player), player.latency))
  sendIfThere(res, part === undefined ? window.segment(segment ?? -1) : asList(window.part(segment ?? -1, part)))
}

/** Waits until the condition holds, the client disconnects, permission ends, or the deadline passes. */
async function waitFor(
  condition: () => boolean,
  {
    piece,
    packager,
    res,
  }: { readonly piece: Piece; readonly packager: LiveSource['packager']; readonly res: ServerResponse },
): Promise<void> {
  const left = new AbortController()
  res.once('close', () => left.abort())
  const { signal } = piece.player.session
  await packager.window.until(condition, AbortSignal.any([signal, left.signal, AbortSignal.timeout(WAIT_MS)]))
}

const asList = (bytes: Uint8Array | undefined): readonly Uint8Array[] | undefined => bytes && [bytes]

const sendIfThere = (res: ServerResponse, bytes: readonly Uint8Array[] | undefined): void =>
  bytes === undefined ? refuse(res, 'notFound') : sendBytes(res, bytes)

const isAway = (since: number | undefined): boolean => since !== undefined && Date.now() - since > AWAY_MS

export async function answerRecorded(
  { player, name, parameters }: Piece,
  { list, now }: { readonly list: RecordedList; readonly now: () => number },
  res: ServerResponse,
): Promise<void> {
  if (name === MEDIA_PLAYLIST) {
    await list.extend(now())
    return sendPlaylist(res, list.playlist(addressesOf(player)))
  }
  if (name === 'init.mp4') {
    const init = list.init(numberOf(parameters, 'map') ?? -1)
    return init === undefined ? refuse(res, 'notFound') : sendBytes(res, [init])
  }
  const pieces = name === 'segment.m4s' ? list.segment(numberOf(parameters, 'number') ?? -1) : undefined
  if (pieces === undefined) return refuse(res, 'notFound')
  // A client that disconnects or loses permission isn't a server error; footage may be deleted while it is listed.
  const { signal } = player.session
  res.writeHead(200, { ...uncached, 'content-type': 'video/mp4' })
  await pipeline(Readable.from(pieces), res, { signal }).catch(() => res.destroy())
}
