import type { ChildProcess } from 'node:child_process'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { MotionPreview } from '@sightline/contract/detectors'
import type {
  CameraCommandAnswer,
  CameraCommandName,
  CameraCommandQuestion,
  DiscoveryAnswer,
  DiscoveryQuestion,
  MediaPlane,
  RecordedPictureAnswer,
  RecordedPictureQuestion,
  SnapshotAnswer,
  SnapshotFormat,
  TalkAnswer,
  TalkQuestion,
} from '@sightline/contract/media-plane'
import { readOrigin } from '@sightline/edge'
import {
  answerKeyQuestion,
  type FromWorker,
  type HeadSigner,
  type KeyService,
  type StreamRequest,
  type ToWorker,
  type WorkerFigures,
  type WorkerSettings,
} from '@sightline/media/control'
import { isChainHead } from '@sightline/media/recording'
import type { DatabaseConnection } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { startChild } from './child-process.ts'
import { KeyAssignment } from './key-assignment.ts'
import { questions } from './questions.ts'

/** The video plane as the other parts of this machine see it. */
export interface MediaWorkers extends AsyncDisposable {
  readonly plane: MediaPlane
  /** Hands a WebSocket request to the worker, as the connection itself if possible. */
  readonly upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Answers a request for a file of footage, from the worker that can read it. */
  readonly sendClip: (req: IncomingMessage, res: ServerResponse) => void
  revoked(): void
  /** Why streams can't be served now, one sentence each; none while all workers run. */
  readonly unready: () => readonly string[]
  /** The problems of the workers, one sentence each: which camera isn't recorded, and why. */
  readonly problems: () => readonly string[]
  /** For each worker that answers in time, by name. */
  readonly figures: () => Promise<ReadonlyMap<string, WorkerFigures>>
}

/** A worker that hasn't responded by then is busy; the caller may retry. */
const SNAPSHOT_MS = 8000
/** Longer: it may wait for footage that is being written, and for other pictures. */
const RECORDED_PICTURE_MS = 15_000
/** Longer than a worker waits for a camera. */
const COMMAND_MS = 15_000
/** A camera may take as long to open its loudspeaker: several replies of five seconds each. */
const TALK_MS = 15_000
/** It tells how far a search is, and doesn't wait for it. */
const DISCOVERY_MS = 5000
const FIGURES_MS = 1000
const PREVIEW_MS = 2000

/** Of a camera that no worker serves. */
const noPreview: MotionPreview = { state: 'off', active: false, columns: 32, rows: 18, moving: [], ignored: [] }

/** Starts the workers, which share out the cameras among themselves. */
export async function startMediaWorkers(given: {
  /** One for each worker. */
  settings: readonly WorkerSettings<DatabaseConnection>[]
  /** Absolute path of the worker's program. */
  entry: string
  /** What the workers can't open themselves. */
  keyService: KeyService
  /** Signs the heads of lists of footage. */
  headSigner: Pick<HeadSigner, 'sign'>
  /** A process of it that waits for its settings. */
  prepared: ChildProcess | undefined
  log: Logger
  signal: AbortSignal
}): Promise<MediaWorkers> {
  const { settings, prepared, ...common } = given
  const owners = new CameraOwners()
  const assignment = new KeyAssignment()
  const started = await Promise.allSettled(
    settings.map((each, index) =>
      startWorker({ ...common, settings: each, prepared: index === 0 ? prepared : undefined, owners, assignment }),
    ),
  )
  const workers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const stop = async () => void (await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]())))
  const failed = started.find((result) => result.status === 'rejected')
  if (failed !== undefined) {
    await stop()
    throw failed.reason
  }
  const findWorker = (cameraId: number) => workers.find(({ workerId }) => workerId === owners.find(cameraId))
  // Nobody is connected to a private camera, but one worker may have the keys of its footage.
  const findReader = (cameraId: number) =>
    findWorker(cameraId) ?? workers.find(({ workerId }) => assignment.isAssigned(cameraId, workerId))
  const all = <T>(ask: (worker: RunningWorker) => readonly T[]) => workers.flatMap(ask)
  return {
    plane: {
      decodesSound: settings.some(({ ffmpeg, motionCameras }) => ffmpeg !== undefined && motionCameras > 0),
      async snapshot({ cameraId, format }) {
        const answer = await (findWorker(cameraId) ?? workers[0])?.snapshot({ cameraId, format })
        return answer ?? { kind: 'timedOut' }
      },
      async recordedPicture(question) {
        const answer = await (findReader(question.cameraId) ?? workers[0])?.recordedPicture(question)
        return answer ?? { kind: 'timedOut' }
      },
      async command<Name extends CameraCommandName>(question: CameraCommandQuestion<Name>) {
        const worker = findWorker(question.cameraId) ?? workers[0]
        return ((await worker?.command(question)) as CameraCommandAnswer<Name> | undefined) ?? { kind: 'timedOut' }
      },
      async talk(question) {
        return (await (findWorker(question.cameraId) ?? workers[0])?.talk(question)) ?? { kind: 'timedOut' }
      },
      async discovery(question) {
        // Always the same worker for an account: it remembers what it found.
        const worker = workers[question.accountId % workers.length]
        return (await worker?.discovery(question)) ?? { kind: 'timedOut' }
      },
      async motionPreview(question) {
        return (await findWorker(question.cameraId)?.motionPreview(question)) ?? noPreview
      },
      camerasChanged: () => all((worker) => [worker.send({ kind: 'camerasChanged' })]),
      eventAdded: (event) => all((worker) => [worker.send({ kind: 'eventAdded', ...event })]),
    },
    async figures() {
      const answers = await Promise.all(
        workers.map(async (worker) => [worker.workerId, await worker.figures()] as const),
      )
      return new Map(answers.flatMap(([id, answer]) => (answer === undefined ? [] : [[id, answer] as const])))
    },
    upgrade(req, socket, head) {
      const owner = findWorker(cameraOf(req))
      // Its next owner may not have said so yet; the viewer tries again.
      if (owner === undefined && workers.length > 1 && workers.some((worker) => !worker.isSettled()))
        return void socket.destroy()
      const worker = owner ?? workers[0]
      if (worker === undefined) socket.destroy()
      else worker.upgrade(req, socket, head)
    },
    sendClip(req, res) {
      const worker = findReader(cameraOf(req)) ?? workers[0]
      if (worker === undefined) res.writeHead(503, { 'retry-after': '2', 'content-length': '0' }).end()
      else worker.sendClip(req, res)
    },
    revoked: () => all((worker) => [worker.send({ kind: 'revoked' })]),
    unready: () => all((worker) => worker.unready()),
    problems: () => all((worker) => worker.problems()),
    [Symbol.asyncDispose]: stop,
  }
}

/** Which worker serves which camera, as the workers say. */
class CameraOwners {
  readonly #owners = new Map<number, string>()

  find(cameraId: number): string | undefined {
    return this.#owners.get(cameraId)
  }

  tell(workerId: string, cameraIds: readonly number[]): void {
    for (const [cameraId, owner] of this.#owners) if (owner === workerId) this.#owners.delete(cameraId)
    for (const cameraId of cameraIds) this.#owners.set(cameraId, workerId)
  }
}

interface RunningWorker extends AsyncDisposable {
  readonly workerId: string
  send(message: ToWorker): void
  snapshot(wanted: { cameraId: number; format: SnapshotFormat }): Promise<SnapshotAnswer | undefined>
  recordedPicture(question: RecordedPictureQuestion): Promise<RecordedPictureAnswer | undefined>
  motionPreview(question: { cameraId: number }): Promise<MotionPreview | undefined>
  command(question: CameraCommandQuestion): Promise<CameraCommandAnswer | undefined>
  talk(question: TalkQuestion): Promise<TalkAnswer | undefined>
  discovery(question: DiscoveryQuestion): Promise<DiscoveryAnswer | undefined>
  figures(): Promise<WorkerFigures | undefined>
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  sendClip(req: IncomingMessage, res: ServerResponse): void
  unready(): readonly string[]
  problems(): readonly string[]
  /** Whether it has been running long enough to have said which cameras it serves. */
  isSettled(): boolean
}

const SETTLED_AFTER_MS = 15_000

async function startWorker(given: {
  settings: WorkerSettings<DatabaseConnection>
  entry: string
  keyService: KeyService
  headSigner: Pick<HeadSigner, 'sign'>
  prepared: ChildProcess | undefined
  owners: CameraOwners
  assignment: KeyAssignment
  log: Logger
  signal: AbortSignal
}): Promise<RunningWorker> {
  const { settings, entry, keyService, headSigner, prepared, owners, assignment, log, signal } = given
  const { workerId } = settings
  const name = settings.peers.length === 1 ? 'media worker' : `media worker ${workerId}`
  const { answer, ...asked } = workerQuestions((message) => child.send(message))
  let problems: readonly string[] = []
  let startedAt = Number.NEGATIVE_INFINITY
  let isSeen = false
  const isAssigned = (cameraId: number) => assignment.isAssigned(cameraId, workerId)
  const child = await startChild<WorkerSettings<DatabaseConnection>, ToWorker, FromWorker>({
    name,
    entry,
    settings,
    prepared,
    log,
    signal,
    onMessage(message, reply) {
      if (message.kind === 'health') problems = message.problems
      else if (message.kind === 'cameras') owners.tell(workerId, message.ids)
      else if (message.kind === 'seen') isSeen = message.isSeen
      else if (message.kind === 'heads')
        headSigner.sign(message.heads.filter((head) => isChainHead(head) && isAssigned(head.cameraId)))
      else if (message.kind === 'keys')
        void answerKeyQuestion(keyService, message.question, isAssigned).then((keys) =>
          reply({ kind: 'keys', id: message.id, answer: keys }),
        )
      else answer(message)
    },
    onRestart() {
      startedAt = performance.now()
      isSeen = false
    },
  })
  const isSettled = () => child.isResponding() && performance.now() - startedAt > SETTLED_AFTER_MS
  assignment.join(workerId, () => isSeen && isSettled())
  return {
    workerId,
    send: (message) => void child.send(message),
    ...asked,
    upgrade(req, socket, head) {
      if (!(socket instanceof Socket) || socket instanceof TLSSocket)
        return pipe({ req, socket, head }, settings.socketPath)
      if (!child.handOver({ kind: 'stream', request: requestOf(req), head }, socket)) socket.destroy()
    },
    sendClip: (req, res) => forward({ req, res }, settings.socketPath),
    unready() {
      if (child.isResponding()) return []
      return [`the ${name} is ${child.pid() === undefined ? 'restarting' : 'not responding'}`]
    },
    problems: () => problems,
    isSettled,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

type WorkerQuestions = Pick<
  RunningWorker,
  'snapshot' | 'recordedPicture' | 'command' | 'talk' | 'discovery' | 'motionPreview' | 'figures'
>
type WorkerAnswer = Extract<FromWorker, { kind: keyof WorkerQuestions }>

/** What a worker is asked, and where its answers go. */
function workerQuestions(send: (message: ToWorker) => boolean) {
  const snapshots = questions<SnapshotAnswer>(SNAPSHOT_MS)
  const recordedPictures = questions<RecordedPictureAnswer>(RECORDED_PICTURE_MS)
  const commands = questions<CameraCommandAnswer>(COMMAND_MS)
  const talks = questions<TalkAnswer>(TALK_MS)
  const discoveries = questions<DiscoveryAnswer>(DISCOVERY_MS)
  const previews = questions<MotionPreview>(PREVIEW_MS)
  const figures = questions<WorkerFigures>(FIGURES_MS)
  const asked: WorkerQuestions = {
    snapshot: (wanted) => snapshots.ask((id) => send({ kind: 'snapshot', id, ...wanted })),
    recordedPicture: (question) => recordedPictures.ask((id) => send({ kind: 'recordedPicture', id, question })),
    command: (question) => commands.ask((id) => send({ kind: 'command', id, question })),
    talk: (question) => talks.ask((id) => send({ kind: 'talk', id, question })),
    discovery: (question) => discoveries.ask((id) => send({ kind: 'discovery', id, question })),
    motionPreview: (question) => previews.ask((id) => send({ kind: 'motionPreview', id, ...question })),
    figures: () => figures.ask((id) => send({ kind: 'figures', id })),
  }
  return {
    ...asked,
    answer(message: WorkerAnswer): void {
      if (message.kind === 'snapshot') snapshots.answer(message.id, message.answer)
      else if (message.kind === 'recordedPicture') recordedPictures.answer(message.id, message.answer)
      else if (message.kind === 'command') commands.answer(message.id, message.answer)
      else if (message.kind === 'motionPreview') previews.answer(message.id, message.answer)
      else if (message.kind === 'talk') talks.answer(message.id, message.answer)
      else if (message.kind === 'discovery') discoveries.answer(message.id, message.answer)
      else figures.answer(message.id, message.figures)
    },
  }
}

/** The camera in the address of a stream; one that isn't a number belongs to no worker. */
const cameraOf = ({ url = '' }: IncomingMessage): number =>
  Number(new URL(url, 'http://media').searchParams.get('camera_id') ?? Number.NaN)

function requestOf(req: IncomingMessage): StreamRequest {
  const headers = Object.fromEntries(
    Object.entries(req.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
  return { url: req.url ?? '', headers, address: readOrigin(req).address }
}

/** A TLS connection can't leave the process with its keys, so its bytes go through a local socket. */
function pipe({ req, socket, head }: { req: IncomingMessage; socket: Duplex; head: Buffer }, path: string): void {
  const worker = connect(path)
  const { url, headers } = requestOf(req)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  worker.write(`GET ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  worker.write(head)
  socket.pipe(worker).pipe(socket)
  worker.on('error', () => socket.destroy())
  socket.on('error', () => worker.destroy())
  socket.on('close', () => worker.destroy())
}

/** Passes a request on to a worker, and its answer back as fast as the client takes it. */
function forward({ req, res }: { req: IncomingMessage; res: ServerResponse }, socketPath: string): void {
  const { url, headers } = requestOf(req)
  // Each on a connection of its own: a download that is given up is noticed by its end.
  const asked = request({ socketPath, path: url, method: req.method, headers: { ...headers, connection: 'close' } })
  asked.on('response', (answer) => {
    const { connection: _, ...rest } = answer.headers
    res.writeHead(answer.statusCode ?? 502, rest)
    answer.pipe(res)
    answer.on('error', () => res.destroy())
  })
  asked.on('error', () => {
    if (res.headersSent) res.destroy()
    else res.writeHead(503, { 'retry-after': '2', 'content-length': '0' }).end()
  })
  res.on('close', () => asked.destroy())
  asked.end()
}
