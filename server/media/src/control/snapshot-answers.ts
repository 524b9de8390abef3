import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorName } from '@sightline/contract/errors'
import type {
  RecordedPictureAnswer,
  RecordedPictureQuestion,
  SnapshotAnswer,
  SnapshotFormat,
} from '@sightline/contract/media-plane'
import { PICTURE_WIDTHS } from '@sightline/contract/streams'
import { toDateTime } from '@sightline/contract/wire'
import { addressGroup, createSemaphore } from '@sightline/platform/limits'
import type { Decoder } from '../decoder/index.ts'
import type { ChannelKeeper } from './channel-keeper.ts'
import { type RequestedStream, readStreamAddress, refuse, streamErrors } from './http-answers.ts'
import { takeSnapshot } from './snapshot.ts'
import type { StreamSession, StreamSessions } from './stream-sessions.ts'

export interface SnapshotAnswerDeps {
  readonly sessions: Pick<StreamSessions, 'open'>
  readonly channels: Pick<ChannelKeeper, 'hubOf' | 'isPrivate'>
  readonly decoder: Decoder | undefined
  readonly recordedPicture: (question: RecordedPictureQuestion) => Promise<RecordedPictureAnswer>
  /** Called before a picture is sent. */
  readonly onBegin: (session: StreamSession, address: string) => Promise<void>
  readonly onOverload: () => void
  readonly now: () => number
}

/** Answers a request for one picture. `address` is the client's, as the edge saw it. */
export type AnswerSnapshot = (req: IncomingMessage, res: ServerResponse, address: string) => Promise<void>

interface Wanted extends RequestedStream {
  readonly format: Exclude<SnapshotFormat, 'blurredJpeg'>
  readonly width: number | undefined
}

const OPENING = { concurrency: 4, queue: 200 }

const problems: Readonly<Record<Exclude<(SnapshotAnswer | RecordedPictureAnswer)['kind'], 'picture'>, ErrorName>> = {
  cameraOffline: 'cameraOffline',
  noFootage: 'notFound',
  noDecoder: 'mediaNotSupported',
  timedOut: 'timedOut',
}

/** One picture for a ticket, of now or of its time; with a token, as `cameras/{cameraId}/snapshot` answers. */
export function snapshotAnswers(deps: SnapshotAnswerDeps): AnswerSnapshot {
  const opening = createSemaphore<string>({ perKey: { concurrency: 2, queue: 50 }, overall: OPENING })
  const answer = async (wanted: Wanted, res: ServerResponse): Promise<void> => {
    const opened = await deps.sessions.open({ ...wanted, snapshot: true })
    if (!opened.ok) return refuse(res, streamErrors[opened.code])
    const { session } = opened
    try {
      const taken = await takePicture(deps, session, wanted)
      // Permission may have ended while it was made.
      if (session.signal.aborted) return refuse(res, 'notAuthorized')
      if (taken.kind !== 'picture') return refuse(res, problems[taken.kind])
      await deps.onBegin(session, wanted.address)
      const { bytes, contentType, takenAt } = taken
      const headers = { 'content-type': contentType, 'content-length': bytes.length, 'x-taken-at': toDateTime(takenAt) }
      res.writeHead(200, { ...headers, 'cache-control': 'private, no-store' }).end(bytes)
    } finally {
      session.close()
    }
  }
  return async (req, res, address) => {
    const wanted = readWanted(req, address)
    if (typeof wanted === 'string') return refuse(res, wanted)
    // It must not use up a ticket.
    if (req.method === 'HEAD') return void res.writeHead(200, { 'cache-control': 'private, no-store' }).end()
    const done = await opening.run(addressGroup(address), () => answer(wanted, res))
    if (done.ok) return
    deps.onOverload()
    refuse(res, 'overloaded')
  }
}

function readWanted(req: IncomingMessage, address: string): Wanted | ErrorName {
  const asked = readStreamAddress(req, address)
  if (typeof asked === 'string') return asked
  const text = asked.parameters.get('width')
  const width = text === null ? undefined : PICTURE_WIDTHS.find((each) => String(each) === text)
  if (text !== null && width === undefined) return 'validation'
  const isMp4 = /^\s*video\/mp4/.test(req.headers.accept ?? '')
  return { ...asked, width, format: isMp4 ? 'mp4' : 'jpeg' }
}

async function takePicture(
  { channels, decoder, recordedPicture, now }: SnapshotAnswerDeps,
  { accountId, cameraId, stream, from }: StreamSession,
  { format, width }: Wanted,
): Promise<SnapshotAnswer | RecordedPictureAnswer> {
  if (from !== undefined)
    return await recordedPicture({ accountId, cameraId, at: from, format, ...(width !== undefined && { width }) })
  const hub = channels.hubOf(cameraId, stream)
  if (hub === undefined) return { kind: 'cameraOffline' }
  return await takeSnapshot(hub, { format, width, now: now(), decoder })
}
