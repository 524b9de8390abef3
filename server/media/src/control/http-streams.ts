import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  CLIP_PATH,
  HLS_FOLDER,
  isPictureStream,
  isWhep,
  SNAPSHOT_PATH,
  SUMMARY_PATH,
} from '@sightline/contract/streams'
import type { MemoryBudget } from '../hub/index.ts'
import type { ChannelKeeper } from './channel-keeper.ts'
import { countViewer, openClips, recordExport } from './clip-serving.ts'
import { findClipEnd } from './footage-disk-store.ts'
import type { FootageFiles } from './footage-files.ts'
import type { FootageKeyring } from './footage-keyring.ts'
import { hlsStreams } from './hls-streams.ts'
import { refuse } from './http-answers.ts'
import type { MediaWorkerDeps } from './media-worker.ts'
import { pictureStreams } from './picture-streams.ts'
import type { RecordedPictures } from './recorded-pictures.ts'
import { snapshotAnswers } from './snapshot-answers.ts'
import { recordWatching, snapshotAudit } from './stream-audit.ts'
import type { StreamSessions } from './stream-sessions.ts'
import { summaries } from './summaries.ts'
import type { StreamUpgradeHandler } from './upgrade-handler.ts'
import type { WorkerTally } from './worker-figures.ts'

export interface HttpStreamDeps extends MediaWorkerDeps, Pick<FootageFiles, 'reads' | 'files'> {
  readonly keys: FootageKeyring
  readonly memory: MemoryBudget
  /** Whether this worker keeps the camera's footage on its disk. */
  readonly keeps: (cameraId: number) => boolean
}

/** Video that is answered over HTTP. */
export interface HttpStreams extends AsyncDisposable {
  /** `address` is the client's, as the edge saw it. */
  answer(req: IncomingMessage, res: ServerResponse, address: string): void
}

interface Serving {
  readonly sessions: StreamSessions
  readonly channels: Pick<ChannelKeeper, 'hubOf' | 'isPrivate' | 'device'>
  readonly tally: WorkerTally
  readonly recorded: Pick<RecordedPictures, 'take'>
}

export async function httpStreams(
  deps: HttpStreamDeps,
  { sessions, channels, tally, recorded }: Serving,
): Promise<HttpStreams> {
  const onOverload = () => void tally.refused.streams++
  const sendClip = openClips(deps, sessions, tally)
  const hls = hlsStreams({
    ...deps,
    sessions,
    channels,
    findEnd: (wanted) => findClipEnd(deps.db, wanted),
    onOverload,
    onBegin: (session, address) => recordWatching(deps, session, address),
    counted: ({ use }, until) => void countViewer(tally.viewers, use, until),
  })
  const pictures = pictureStreams({
    ...deps,
    sessions,
    channels,
    onOverload,
    onBegin: (session, address) => recordWatching(deps, session, address),
    counted: ({ use }, stream) => countViewer(tally.viewers, use, stream()),
  })
  const snapshot = snapshotAnswers({
    ...deps,
    sessions,
    channels,
    recordedPicture: recorded.take,
    onOverload,
    onBegin: snapshotAudit(deps),
  })
  const summary = summaries({
    ...deps,
    sessions,
    onOverload,
    onBegin: (session, address) => recordWatching(deps, session, address),
    onDownload: (session, address) => recordExport(deps, session, address),
    counted: ({ use }, sending) => countViewer(tally.viewers, use, sending),
  })
  const whep = await openWhep(deps, { sessions, channels, tally })
  const findAnswer = (path: string) => {
    if (path === SUMMARY_PATH) return summary.handle
    if (path === SNAPSHOT_PATH) return snapshot
    if (isPictureStream(path)) return pictures.handle
    if (isWhep(path)) return whep?.handle ?? refuseWhep
    return path.startsWith(HLS_FOLDER) ? hls.handle : undefined
  }
  return {
    answer(req, res, address) {
      const path = (req.url ?? '').split('?', 1)[0] ?? ''
      if (path === CLIP_PATH) return sendClip(req, res, address)
      const answer = findAnswer(path)
      if (answer === undefined) return void res.writeHead(426, { 'content-length': 0 }).end()
      answer(req, res, address).catch((err: unknown) => {
        deps.log.error({ err }, 'answering a request of a stream failed because of a bug')
        res.destroy()
      })
    },
    async [Symbol.asyncDispose]() {
      for (const each of [hls, pictures]) each[Symbol.dispose]()
      await whep?.[Symbol.asyncDispose]()
    },
  }
}

const refuseWhep = async (_: IncomingMessage, res: ServerResponse): Promise<void> =>
  refuse(res, 'mediaNotSupported', 'WebRTC is off on this server')

/** Its code is loaded only if the operator switched it on. If its port is taken, everything else is served all the same. */
async function openWhep(deps: HttpStreamDeps, { sessions, channels, tally }: Omit<Serving, 'recorded'>) {
  if (deps.webRtc === undefined) return undefined
  const onBug = (err: unknown) => deps.log.error({ err }, 'a stream over WebRTC failed because of a bug')
  try {
    const { openWhepStreams } = await import('./whep-streams.ts')
    return await openWhepStreams(
      { ...deps.webRtc, onBug },
      {
        workerId: deps.workerId,
        sessions,
        channels,
        onOverload: () => void tally.refused.streams++,
        onBegin: (session, address) => recordWatching(deps, session, address),
        counted: ({ use }, stream) => countViewer(tally.viewers, use, stream()),
      },
    )
  } catch (err) {
    deps.log.error({ err, port: deps.webRtc.port }, 'WebRTC is off: its UDP port can’t be opened')
    return undefined
  }
}

/** Handshakes over TLS end at the edge, which pipes them here; the request is parsed again from its bytes. */
export async function listenForPiped(
  path: string | undefined,
  upgrades: StreamUpgradeHandler,
  http: HttpStreams,
): Promise<() => Promise<void>> {
  if (path === undefined) return async () => undefined
  const server = createServer((request, response) => {
    const address = request.headers['x-forwarded-for']
    http.answer(request, response, typeof address === 'string' ? address : '')
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : (value ?? ''),
      ]),
    )
    upgrades.accept({ url: request.url ?? '', headers, address: headers['x-forwarded-for'] ?? '' }, socket, head)
  })
  // A worker that was killed leaves its socket behind, and listening there fails then; one worker at a time has this path.
  await rm(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  return async () => {
    await http[Symbol.asyncDispose]()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
