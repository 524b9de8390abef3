/** Every address of the media plane, as every caller opens it: over HTTP, WebSockets and RTSP. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { TALK_PATH } from '@sightline/contract/camera-audio'
import {
  CLIP_PATH,
  HLS_PATH,
  JPEG_PATH,
  MSE_PATH,
  MULTIPART_AUDIO_PATH,
  MULTIPART_PATH,
  RTSP_PATH,
  SNAPSHOT_PATH,
  SUMMARY_PATH,
  WHEP_PATH,
} from '@sightline/contract/streams'
import type { Db } from '@sightline/platform/db'
import { createLogger } from '@sightline/platform/log'
import { clipDownloads } from '../../server/media/src/control/clip-downloads.ts'
import { openFootageFiles } from '../../server/media/src/control/footage-files.ts'
import { hlsStreams } from '../../server/media/src/control/hls-streams.ts'
import { pictureStreams } from '../../server/media/src/control/picture-streams.ts'
import { type RtspStreamDeps, rtspStreams } from '../../server/media/src/control/rtsp-streams.ts'
import { type AnswerSnapshot, snapshotAnswers } from '../../server/media/src/control/snapshot-answers.ts'
import type { StreamSessions } from '../../server/media/src/control/stream-sessions.ts'
import { summaries } from '../../server/media/src/control/summaries.ts'
import { whepStreams } from '../../server/media/src/control/whep-streams.ts'
import { MemoryBudget } from '../../server/media/src/hub/index.ts'
import { OFFER } from '../../server/media/src/webrtc/offer-stage.ts'
import type { Who } from './principals.ts'
import { openSocketDesk } from './stream-sockets.ts'
import type { Use } from './streams.ts'

export interface StreamPath {
  readonly path: string
  readonly use: Use
}

const RECENT_MS = 60_000

/** Addresses as existing clients write them, with what they have to be allowed for. */
export const streamPaths = (now: number): readonly StreamPath[] => {
  const [from, till] = [now - RECENT_MS, now].map((time) => new Date(time).toISOString())
  const span = `&from=${from}&till=${till}`
  return [
    { path: `${HLS_PATH}?`, use: 'live' },
    { path: `${HLS_PATH}?low_latency=1&`, use: 'live' },
    { path: `${HLS_PATH}?${span}&`, use: 'playback' },
    { path: `${JPEG_PATH}?`, use: 'live' },
    { path: `${MULTIPART_PATH}?stream=main&`, use: 'live' },
    { path: `${MULTIPART_AUDIO_PATH}?`, use: 'live' },
    { path: `${RTSP_PATH}?`, use: 'live' },
    { path: `${RTSP_PATH}?stream=sub&`, use: 'live' },
    { path: `${RTSP_PATH}?${span}&`, use: 'playback' },
    { path: `${RTSP_PATH}?stream=sub&from=${from}&`, use: 'playback' },
    { path: `${WHEP_PATH}?`, use: 'live' },
    { path: `${WHEP_PATH}?stream=sub&`, use: 'live' },
    { path: `${MSE_PATH}?`, use: 'live' },
    { path: `${MSE_PATH}?stream=sub&`, use: 'live' },
    { path: `${MSE_PATH}?time=${from}&`, use: 'playback' },
    { path: `${MSE_PATH}?time=${from}&stream=sub&media_times=wallclock&pictures=keys&`, use: 'playback' },
    { path: `${TALK_PATH}?`, use: 'talk' },
    { path: `${CLIP_PATH}?${span}&`, use: 'file' },
    { path: `${SUMMARY_PATH}?${span}&`, use: 'playback' },
    { path: `${SUMMARY_PATH}?${span}&pictures=1&`, use: 'playback' },
    { path: `${SUMMARY_PATH}?${span}&download=1&`, use: 'saved summary' },
    { path: `${SNAPSHOT_PATH}?`, use: 'snapshot' },
    { path: `${SNAPSHOT_PATH}?from=${from}&`, use: 'snapshot of footage' },
  ]
}

/** What a request came to: it was admitted, or with which code of the catalogue it was refused. */
export type StreamOutcome = 'open' | number

export interface StreamDesk extends AsyncDisposable {
  ask(who: Who, cameraId: number, path: string): Promise<StreamOutcome>
}

/**
 * The media plane's own handlers, without a camera and without footage: who is admitted hears that the camera is offline, or that there
 * is no footage. Anything else that is sent is a finding.
 */
export async function openStreamDesk(sessions: Pick<StreamSessions, 'open'>, media: Db): Promise<StreamDesk> {
  let admitted = 0
  const counted: Pick<StreamSessions, 'open'> = {
    async open(wanted) {
      const opened = await sessions.open(wanted)
      if (opened.ok) admitted++
      return opened
    },
  }
  const store = '/nonexistent'
  const footage = openFootageFiles({ store, s3: undefined })
  const base = {
    sessions: counted,
    channels: { hubOf: () => undefined, isPrivate: () => true, device: () => undefined },
    workerId: 'media-1',
    keeps: () => true,
    store,
    keys: { find: nothing },
    memory: new MemoryBudget(1e9),
    ...footage,
    findEnd: async ({ till }: { till: number }) => till,
    onBegin: async () => undefined,
    onOverload: () => undefined,
    signExport: async () => undefined,
    decoder: undefined,
    recordedPicture: async () => ({ kind: 'noFootage' }) as const,
    log: createLogger({ level: 'silent', format: 'json', name: 'tenancy' }),
    now: Date.now,
  }
  const http = httpHandlers(base)
  const server = createServer((req, res) => {
    const path = (req.url ?? '').split('?', 1)[0] ?? ''
    void http
      .find(path)(req, res, '192.0.2.1')
      .catch(() => res.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const readers = { footage: { store, ...footage }, isElsewhere: async () => false }
  const rtsp = await openRtspDesk({ ...base, ...readers, counted: (_, stream) => stream(), onBug: nothing })
  const sockets = openSocketDesk(server, { sessions: counted, media })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const codeOf = (target: string): Promise<number> => {
    if (target.startsWith(RTSP_PATH)) return rtsp.describe(target)
    return isSocket(target) ? sockets.ask(`${origin}${target}`) : askHttp(`${origin}${target}`)
  }
  return {
    async ask(who, cameraId, path) {
      const before = admitted
      const target = `${path}camera_id=${cameraId}&access_token=${who.token ?? ''}`
      const code = await codeOf(target)
      // Who is admitted may still lack a right for the rest: to talk, or to save what they watch.
      return admitted > before && code !== NOT_AUTHORIZED ? 'open' : code
    },
    async [Symbol.asyncDispose]() {
      for (const each of [rtsp, sockets]) each[Symbol.dispose]()
      for (const each of [http, footage]) each[Symbol.dispose]()
      server.closeAllConnections()
      server.close()
    },
  }
}

const nothing = () => {
  throw new Error('there is no footage and no camera')
}

type HandlerDeps = Omit<Parameters<typeof hlsStreams>[0], 'counted'> &
  Omit<Parameters<typeof clipDownloads>[0], 'counted'> &
  Omit<Parameters<typeof snapshotAnswers>[0], 'counted'> &
  Omit<Parameters<typeof pictureStreams>[0], 'counted' | 'pictures'> &
  Omit<Parameters<typeof whepStreams>[0], 'counted' | 'port'>

interface HttpHandlers extends Disposable {
  /** That of pictures, if there is no other. */
  find(path: string): AnswerSnapshot
}

/** What answers requests over HTTP. */
function httpHandlers(base: HandlerDeps): HttpHandlers {
  const hls = hlsStreams({ ...base, counted: () => undefined })
  const pictures = pictureStreams({
    ...base,
    pictures: { streams: 1, startJpegDecoder: nothing, startSoundDecoder: nothing },
    counted: (_, stream) => stream(),
  })
  const clips = clipDownloads({ ...base, counted: (_, download) => download() })
  const snapshot = snapshotAnswers(base)
  const summary = summaries({ ...base, onDownload: nothing, counted: (_, sending) => sending })
  const whep = whepStreams({ ...base, port: { connect: nothing }, counted: (_, stream) => stream() })
  const answers: Readonly<Record<string, AnswerSnapshot>> = {
    [CLIP_PATH]: clips.handle,
    [HLS_PATH]: hls.handle,
    [SNAPSHOT_PATH]: snapshot,
    [SUMMARY_PATH]: summary.handle,
    [WHEP_PATH]: whep.handle,
  }
  return {
    find: (path) => answers[path] ?? pictures.handle,
    [Symbol.dispose]() {
      for (const each of [hls, pictures]) each[Symbol.dispose]()
    },
  }
}

const NOT_AUTHORIZED = 9

const isSocket = (target: string): boolean => target.startsWith(MSE_PATH) || target.startsWith(TALK_PATH)

/** The code of the error that is answered. */
async function askHttp(url: string): Promise<number> {
  const offering = { method: 'POST', headers: { 'content-type': 'application/sdp' }, body: OFFER }
  const reply = await fetch(url, url.includes(WHEP_PATH) ? offering : {})
  return ((await reply.json()) as { code: number }).code
}

interface RtspDesk extends Disposable {
  /** The code of the error that a client gets instead of a description. */
  describe(target: string): Promise<number>
}

async function openRtspDesk(deps: RtspStreamDeps): Promise<RtspDesk> {
  const request = { url: '', headers: {}, address: '192.0.2.1' }
  const streams = rtspStreams(deps)
  const server = createTcpServer((socket) => streams.accept(request, socket, new Uint8Array(0)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    async describe(target) {
      const socket = connect(port, '127.0.0.1')
      const asking = (method: string) => `${method} rtsp://127.0.0.1:${port}${target} RTSP/1.0\r\nCSeq: 1\r\n\r\n`
      socket.write(`${asking('DESCRIBE')}${asking('TEARDOWN')}`)
      const body = /\{.*?\}/.exec(await text(socket))?.[0]
      if (body === undefined) throw new Error('no error')
      return (JSON.parse(body) as { code: number }).code
    },
    [Symbol.dispose]() {
      streams.close()
      server.close()
    },
  }
}
