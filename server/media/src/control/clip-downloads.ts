import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { ErrorName } from '@sightline/contract/errors'
import type { ExportOrder, ExportSubject } from '@sightline/contract/footage-proof'
import { CLIP_PATH, MAX_CLIP_HOURS, streamName } from '@sightline/contract/streams'
import { dateTimeText, idText, toDateTime } from '@sightline/contract/wire'
import { attachment } from '@sightline/platform/file-reply'
import { type ClipPlan, planClip, readClip } from '../clips/index.ts'
import { ClipExport, manifestBox } from '../footage-proof/index.ts'
import { FootageAway, type KeyFinder, type ReadQueue, type SegmentFiles } from '../recording/index.ts'
import { filePlaces } from './file-places.ts'
import type { WantedClip } from './footage-disk-store.ts'
import { refuse } from './http-answers.ts'
import { sendSizedFile } from './sized-file.ts'
import type { OpenStreamInput, StreamSession, StreamSessions } from './stream-sessions.ts'

export interface ClipDownloadDeps {
  readonly sessions: Pick<StreamSessions, 'open'>
  readonly store: string
  readonly keys: KeyFinder
  readonly reads: ReadQueue
  readonly files: SegmentFiles
  /** Until when this disk has the footage of a span. */
  readonly findEnd: (wanted: WantedClip) => Promise<number>
  /** Called for each download that begins; not for one that continues. */
  readonly onBegin: (session: StreamSession, address: string) => Promise<void>
  /** Called for each one that is refused because too many are running. */
  readonly onOverload: () => void
  /** Counts it as long as it runs. */
  readonly counted: <T>(session: StreamSession, download: () => Promise<T>) => Promise<T>
  /** Has what is said of an exported file signed; undefined if it can't be. */
  readonly signExport: SignExported
  readonly now: () => number
}

export type SignExported = (subject: ExportSubject, order: ExportOrder) => Promise<string | undefined>

/** Sends files of footage. */
export interface ClipDownloads {
  /** Answers a request whose path is {@link CLIP_PATH}. `address` is the client's, as the edge saw it. */
  handle(req: IncomingMessage, res: ServerResponse, address: string): Promise<void>
}

/** More would take the recorders' turns at the disk; the others are told to come back. */
const CONCURRENT = 8
const MAX_CLIP_MS = MAX_CLIP_HOURS * 3_600_000

/**
 * A file of footage is sent while it is read: nothing of it is kept, in memory or on the disk. Its length is known before, so that
 * browsers show how far they are, and a download that broke off continues where it was (RFC 9110 §14).
 */
export function clipDownloads(deps: ClipDownloadDeps): ClipDownloads {
  const sendLimited = filePlaces(deps, CONCURRENT)
  return {
    async handle(req, res, address) {
      const asked = parseWanted(req, address)
      if (typeof asked === 'string') return refuse(res, asked)
      const { wanted, name } = asked
      const isTicket = 'ticket' in wanted.credential
      await sendLimited(res, wanted, (session) =>
        deps.counted(session, () => send(deps, { req, res, session, name, address, isTicket })),
      )
    },
  }
}

interface Wanted {
  readonly wanted: OpenStreamInput
  readonly name: string | undefined
}

function parseWanted({ url = '' }: IncomingMessage, address: string): Wanted | ErrorName {
  const { pathname, searchParams } = new URL(url, 'http://media')
  const cameraId = idText.safeParse(searchParams.get('camera_id') ?? '')
  if (pathname !== CLIP_PATH || !cameraId.success) return 'notFound'
  const stream = searchParams.has('stream') ? streamName.safeParse(searchParams.get('stream')) : undefined
  if (stream?.success === false) return 'validation'
  const ticket = searchParams.get('ticket')
  const accessToken = searchParams.get('access_token')
  const span = spanOf(searchParams)
  if (ticket === null && span === undefined) return 'validation'
  const { from, till } = span ?? {}
  const credential = ticket === null ? { accessToken: accessToken ?? '' } : { ticket }
  const wanted = { cameraId: cameraId.data, credential, from, file: { till }, stream: stream?.data, address }
  return { wanted, name: searchParams.get('name') ?? undefined }
}

/**
 * The time of an address with a token: what `from` and `till` say, inside the recording that it names, or all of that recording.
 * Undefined for a time that can't be read or is too long.
 */
function spanOf(parameters: URLSearchParams): { readonly from: number; readonly till: number } | undefined {
  const timeOf = (key: string) => dateTimeText.safeParse(parameters.get(key)).data
  const isWrong = (key: string) => parameters.has(key) && timeOf(key) === undefined
  if (['from', 'till'].some(isWrong)) return undefined
  const [start, end] = [timeOf('recording_from'), timeOf('recording_till')]
  const [from, till] = [timeOf('from') ?? start, timeOf('till') ?? end]
  if (from === undefined || till === undefined || till <= from || till - from > MAX_CLIP_MS) return undefined
  return from < (start ?? from) || till > (end ?? till) ? undefined : { from, till }
}

interface Sending {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly session: StreamSession
  readonly name: string | undefined
  readonly address: string
  /** Its file ends where the disk's footage ends. */
  readonly isTicket: boolean
}

async function send(deps: ClipDownloadDeps, sending: Sending): Promise<void> {
  const { session, res } = sending
  const { accountId, cameraId, stream, caller, signal } = session
  const { store, keys, reads, files } = deps
  const access = { keys, reads, files, signal }
  const span = { from: session.from ?? 0, till: Math.min(session.till ?? 0, deps.now()) }
  const elsewhere = sending.isTicket ? undefined : await findElsewhere(deps, { accountId, cameraId, stream, ...span })
  if (elsewhere !== undefined) return refuse(res, 'businessRule', elsewhere)
  const sound = caller.rights.has('microphone') ? 'kept' : 'left-out'
  let plan: ClipPlan | undefined
  try {
    plan = await planClip({ ...access, ...span, store, stream: { accountId, cameraId, stream }, sound })
  } catch (cause) {
    if (cause instanceof FootageAway) return refuse(res, 'timedOut')
    throw cause
  }
  if (plan === undefined) return refuse(res, 'notFound', 'no footage for the selected time')
  const last = plan.pieces.at(-1)
  if (!session.isAgain) {
    session.begin(last === undefined ? undefined : last.part.wallClock + 1)
    await deps.onBegin(session, sending.address)
  }
  if (session.proof !== undefined) return await sendProven(deps, { plan, access, span, sending, order: session.proof })
  await sendPlan(plan, access, sending)
}

/** A sentence if the file would end early, because another machine has the rest. Without the database, what is here is sent. */
async function findElsewhere({ findEnd }: ClipDownloadDeps, wanted: WantedClip): Promise<string | undefined> {
  const end = await findEnd(wanted).catch(() => wanted.till)
  if (end >= wanted.till) return undefined
  const time = toDateTime(end)
  return `footage from ${time} on is on another machine: request one file up to then and another from then on`
}

async function sendPlan(
  plan: ClipPlan,
  access: Parameters<typeof readClip>[2],
  { req, res, session, name }: Sending,
): Promise<void> {
  await sendSizedFile(req, res, {
    bytes: plan.bytes,
    etag: tagOf(plan),
    disposition: attachment(name ?? `camera-${session.cameraId}`, 'mp4'),
    read: (range) => readClip(plan, range, access),
    signal: session.signal,
  })
}

interface ProvenClip {
  readonly plan: ClipPlan
  readonly access: Parameters<typeof readClip>[2]
  readonly span: { readonly from: number; readonly till: number }
  readonly sending: Sending
  readonly order: ExportOrder
}

/**
 * A file that ends with its signed manifest, which is known once all of it was read: so its length isn't known before, and it can't be
 * continued after an interruption.
 */
async function sendProven(
  { store, signExport }: ClipDownloadDeps,
  { plan, access, span, sending, order }: ProvenClip,
): Promise<void> {
  const { req, res, session, name } = sending
  const { accountId, cameraId, stream, signal } = session
  res.writeHead(200, {
    'content-type': 'video/mp4',
    'accept-ranges': 'none',
    'cache-control': 'private, no-store',
    'content-disposition': attachment(name ?? `camera-${cameraId}`, 'mp4'),
  })
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  const clip = new ClipExport(plan, { ...access, ...span, store, stream: { accountId, cameraId, stream } })
  const bytes = async function* () {
    yield* clip.chunks()
    yield await manifestBox(await clip.content(), async (subject) => {
      const line = await signExport(subject, order)
      if (line === undefined) throw new Error(`the export of camera ${cameraId} could not be signed`)
      return line
    })
  }
  await pipeline(bytes, res, { signal }).catch(() => res.destroy())
}

/** Says whether it is the same file, byte for byte. */
function tagOf({ head, pieces }: ClipPlan): string {
  const hash = createHash('sha256').update(head)
  for (const { path, part, bytes, shift } of pieces) hash.update(`${path} ${part.offset} ${bytes} ${shift}\n`)
  return `"${hash.digest('base64url').slice(0, 22)}"`
}
