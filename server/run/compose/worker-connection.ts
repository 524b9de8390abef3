import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { MotionPreview, MotionPreviewQuestion } from '@sightline/contract/detectors'
import type {
  CameraCommandAnswer,
  CameraCommandQuestion,
  DiscoveryAnswer,
  DiscoveryQuestion,
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
  type HeadDisk,
  type HeadSigner,
  type KeyAnswer,
  type KeyQuestion,
  type KeyService,
  type StreamRequest,
  type ToWorker,
  type WorkerFigures,
} from '@sightline/media/control'
import { isChainHead } from '@sightline/media/recording'
import type { SignExport } from './export-signer.ts'
import type { KeyAssignment } from './key-assignment.ts'
import type { ForwardedRequest } from './piped-stream.ts'
import type { Placements } from './placements.ts'
import { questions } from './questions.ts'
import type { StreamPermits } from './stream-permits.ts'

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
/** A worker with too many cameras takes seconds. Prometheus waits for ten. */
const FIGURES_MS = 5000
const PREVIEW_MS = 2000

/** A media worker as the front sees it, in a process of this machine or of another. */
export interface RunningWorker {
  readonly workerId: string
  /** The name of its machine's disk. */
  readonly disk: string
  send(message: ToWorker): void
  snapshot(wanted: { cameraId: number; format: SnapshotFormat }): Promise<SnapshotAnswer | undefined>
  recordedPicture(question: RecordedPictureQuestion): Promise<RecordedPictureAnswer | undefined>
  command(question: CameraCommandQuestion): Promise<CameraCommandAnswer | undefined>
  talk(question: TalkQuestion): Promise<TalkAnswer | undefined>
  discovery(question: DiscoveryQuestion): Promise<DiscoveryAnswer | undefined>
  motionPreview(question: MotionPreviewQuestion): Promise<MotionPreview | undefined>
  figures(): Promise<WorkerFigures | undefined>
  upgrade(stream: OpeningStream): void
  answerStream(request: ForwardedRequest): void
  /** Asks for the clip of an export; the request isn't sent yet. */
  requestClip(url: string): ClientRequest
  unready(): readonly string[]
  problems(): readonly string[]
  /** Whether it has been running long enough to have said which cameras it serves. */
  isSettled(): boolean
}

/** A viewer's connection, of which the opening handshake was read. */
export interface OpeningStream {
  readonly request: StreamRequest
  readonly socket: Duplex
  readonly head: Uint8Array
}

/** Which worker serves which camera, as the workers say. */
export class CameraOwners {
  readonly #claims = new Map<
    string,
    { readonly ids: ReadonlySet<number>; readonly counts: (cameraId: number) => boolean }
  >()

  /** Of several that say so, the one that said it last. */
  find(cameraId: number): string | undefined {
    const found = [...this.#claims].findLast(([, { ids, counts }]) => ids.has(cameraId) && counts(cameraId))
    return found?.[0]
  }

  /** @param counts whether the worker's word counts for a camera. */
  tell(workerId: string, cameraIds: readonly number[], counts: (cameraId: number) => boolean = () => true): void {
    this.#claims.delete(workerId)
    if (cameraIds.length > 0) this.#claims.set(workerId, { ids: new Set(cameraIds), counts })
  }
}

/** What the front does for all workers. */
export interface WorkerDesk {
  readonly owners: CameraOwners
  readonly assignment: KeyAssignment
  readonly placements: Pick<Placements, 'refresh'>
  /** What the workers can't open themselves. */
  readonly keyService: KeyService
  /** Signs the heads of lists of footage. */
  readonly headSigner: Pick<HeadSigner, 'sign' | 'settled'>
  /** Counts the streams of all workers. */
  readonly permits: StreamPermits
  /** Signs what is said of exported files. */
  readonly signExport: SignExport
  /** Whether a disk has footage of a camera. */
  readonly hasFootage: (cameraId: number, disk: string) => Promise<boolean>
}

const SETTLED_AFTER_MS = 15_000

export interface WorkerConnectionDeps {
  readonly workerId: string
  /** The name of its machine's disk. */
  readonly disk: string
  readonly desk: WorkerDesk
  readonly send: (message: ToWorker) => boolean
  readonly isResponding: () => boolean
  /** Where the lists of footage are whose heads it reports; this machine's disk unless given. */
  readonly headDisk?: HeadDisk
  /** Which cameras a worker's word counts for; all of them unless it is another machine's. */
  readonly believes?: (cameraId: number) => boolean
}

/** What is the same for each worker: questions to it, and what it says and asks. */
export interface WorkerConnection
  extends Pick<
    RunningWorker,
    | 'workerId'
    | 'disk'
    | 'snapshot'
    | 'recordedPicture'
    | 'command'
    | 'talk'
    | 'discovery'
    | 'motionPreview'
    | 'figures'
    | 'problems'
    | 'isSettled'
  > {
  /** Resolves once a question is answered. */
  readonly receive: (message: FromWorker, reply: (message: ToWorker) => void) => Promise<void>
  /** Its process was started again. */
  readonly restarted: () => void
  /** It is gone. */
  readonly leave: () => void
}

export function workerConnection(deps: WorkerConnectionDeps): WorkerConnection {
  const { workerId, disk, desk, send, isResponding, believes, headDisk } = deps
  const { owners, assignment, placements, keyService, headSigner, permits } = desk
  const { answer, ...asked } = workerQuestions(send)
  let problems: readonly string[] = []
  let startedAt = Number.NEGATIVE_INFINITY
  let isSeen = false
  const isAssigned = (cameraId: number) => assignment.isAssigned(cameraId, workerId)
  const isSettled = () => isResponding() && performance.now() - startedAt > SETTLED_AFTER_MS
  assignment.join(workerId, { disk, isCertain: () => isSeen && isSettled() })
  const findKeys = async (question: KeyQuestion): Promise<KeyAnswer> => {
    // A camera of this machine may just have been added.
    if (!isAssigned(question.camera.cameraId)) await placements.refresh()
    return answerKeyQuestion(keyService, question, isAssigned, (cameraId) => desk.hasFootage(cameraId, disk))
  }
  return {
    workerId,
    disk,
    ...asked,
    async receive(message, reply) {
      switch (message.kind) {
        case 'health':
          problems = message.problems
          break
        case 'cameras':
          owners.tell(workerId, message.ids, believes)
          break
        case 'seen':
          isSeen = message.isSeen
          break
        case 'heads': {
          const own = message.heads.filter((head) => isChainHead(head) && assignment.isKeeper(head.cameraId, workerId))
          headSigner.sign(own, headDisk)
          break
        }
        case 'permit':
          reply({ kind: 'permit', id: message.id, isGranted: permits.take(workerId, message.id, message) })
          break
        case 'permitReleased':
          permits.release(workerId, message.id)
          break
        case 'signExport':
          reply(await answerSignature(desk, { message, disk, isAssigned }))
          break
        case 'keys':
          reply({ kind: 'keys', id: message.id, answer: await findKeys(message.question) })
          break
        default:
          answer(message)
      }
    },
    restarted() {
      startedAt = performance.now()
      permits.releaseAll(workerId)
    },
    leave() {
      assignment.leave(workerId)
      permits.releaseAll(workerId)
      owners.tell(workerId, [])
    },
    problems: () => problems,
    isSettled,
  }
}

interface SignatureQuestion {
  readonly message: Extract<FromWorker, { kind: 'signExport' }>
  readonly disk: string
  readonly isAssigned: (cameraId: number) => boolean
}

/** Only a worker that serves the camera, or whose disk has footage of it, exports any. */
async function answerSignature(
  { signExport, hasFootage }: WorkerDesk,
  { message: { id, subject, order }, disk, isAssigned }: SignatureQuestion,
): Promise<ToWorker> {
  const isAllowed = isAssigned(subject.cameraId) || (await hasFootage(subject.cameraId, disk))
  return { kind: 'exportSigned', id, ...(isAllowed && { line: signExport(subject, order) }) }
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
    motionPreview: (question) => previews.ask((id) => send({ kind: 'motionPreview', id, question })),
    figures: () => figures.ask((id) => send({ kind: 'figures', id })),
  }
  return {
    ...asked,
    answer(message: WorkerAnswer): void {
      if (message.kind === 'snapshot') snapshots.answer(message.id, message.answer)
      else if (message.kind === 'recordedPicture') recordedPictures.answer(message.id, message.answer)
      else if (message.kind === 'command') commands.answer(message.id, message.answer)
      else if (message.kind === 'talk') talks.answer(message.id, message.answer)
      else if (message.kind === 'motionPreview') previews.answer(message.id, message.answer)
      else if (message.kind === 'discovery') discoveries.answer(message.id, message.answer)
      else figures.answer(message.id, message.figures)
    },
  }
}

/** An opening handshake, as workers get it. */
const BODY_METHODS = ['POST', 'DELETE', 'OPTIONS'] as const

export function toStreamRequest(req: IncomingMessage): StreamRequest {
  const headers = Object.fromEntries(
    Object.entries(req.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
  const method = BODY_METHODS.find((each) => each === req.method)
  return { url: req.url ?? '', ...(method && { method }), headers, address: readOrigin(req).address }
}

/** A connection of RTSP, as workers get it. The headers are those of an upgrade, so that it can be piped like one. */
export const toRtspRequest = (url: string, address: string): StreamRequest => ({
  url,
  headers: { host: 'media', connection: 'upgrade', upgrade: 'rtsp', 'x-forwarded-for': address },
  address,
})
