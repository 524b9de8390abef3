import type { ChildProcess } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { MotionPreview } from '@sightline/contract/detectors'
import type {
  CameraCommandAnswer,
  CameraCommandName,
  CameraCommandQuestion,
  MediaPlane,
} from '@sightline/contract/media-plane'
import type { HeadSigner, KeyService, WorkerFigures, WorkerSettings } from '@sightline/media/control'
import { EncoderProbe, readEncodingAbilities } from '@sightline/media/decoder'
import type { DatabaseConnection } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { readExportedClip } from './exported-clip.ts'
import type { FootageReaders } from './footage-readers.ts'
import { JoinedDiscoveries } from './joined-discovery.ts'
import { KeyAssignment } from './key-assignment.ts'
import { startLocalWorker } from './local-worker.ts'
import type { MachineServer } from './machines/machine-server.ts'
import type { Placements } from './placements.ts'
import { StreamPermits } from './stream-permits.ts'
import {
  CameraOwners,
  type RunningWorker,
  toRtspRequest,
  toStreamRequest,
  type WorkerDesk,
} from './worker-connection.ts'
import { WorkerRouter } from './worker-router.ts'

/** The video plane as the other parts of this machine see it. */
export interface MediaWorkers extends AsyncDisposable {
  readonly plane: MediaPlane
  /** Hands a WebSocket request to the worker, as the connection itself if possible. */
  readonly upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Hands a connection of RTSP to the worker; `url` is the path with its query, `head` what was read. */
  readonly openRtsp: (url: string, connection: { socket: Duplex; head: Uint8Array; address: string }) => void
  /** Answers a request of a stream over HTTP, from the worker that has it. */
  readonly answerStream: (req: IncomingMessage, res: ServerResponse) => void
  revoked(): void
  /** Why streams can't be served now, one sentence each; none while all workers run. */
  readonly unready: () => readonly string[]
  /** The problems of the workers, one sentence each: which camera isn't recorded, and why. */
  readonly problems: () => readonly string[]
  /** For each worker that answers in time, by name. */
  readonly figures: () => Promise<ReadonlyMap<string, WorkerFigures>>
}

/** Of a camera that no worker serves. */
const NO_PREVIEW: MotionPreview = { state: 'off', active: false, columns: 32, rows: 18, moving: [], ignored: [] }

const NO_LIMITS = { perPerson: undefined, perAccount: undefined }

/** Starts the workers, which share out the cameras among themselves. */
export async function startMediaWorkers(given: {
  /** One for each worker. */
  settings: readonly WorkerSettings<DatabaseConnection>[]
  /** Absolute path of the worker's program. */
  entry: string
  /** What the workers can't open themselves. */
  keyService: KeyService
  /** Signs the heads of lists of footage. */
  headSigner: Pick<HeadSigner, 'sign' | 'settled'>
  /** A process of it that waits for its settings. */
  prepared: ChildProcess | undefined
  /** Finds who reads footage; undefined if all footage is on this machine. */
  footageReaders: FootageReaders | undefined
  hasFootage: WorkerDesk['hasFootage']
  placements: Placements
  /** Signs what is said of exported files. */
  signExport: WorkerDesk['signExport']
  /** Undefined if all workers are on this machine. `onGone` is called when workers have gone whose cameras others get at once. */
  openMachines: ((desk: WorkerDesk, onGone: () => void) => Promise<MachineServer>) | undefined
  log: Logger
  signal: AbortSignal
}): Promise<MediaWorkers> {
  const {
    settings,
    prepared,
    openMachines,
    footageReaders: readers,
    keyService,
    headSigner,
    hasFootage,
    placements,
    signExport,
    ...common
  } = given
  const owners = new CameraOwners()
  const assignment = new KeyAssignment(placements)
  const permits = new StreamPermits(settings[0]?.streamLimits ?? NO_LIMITS)
  const desk: WorkerDesk = { owners, assignment, placements, keyService, headSigner, permits, hasFootage, signExport }
  const encoding = new EncoderProbe(() => readEncodingAbilities(settings[0]?.ffmpeg))
  // Known soon; the start doesn't wait for it.
  encoding.now()
  const started = await Promise.allSettled(
    settings.map((each, index) =>
      startLocalWorker({ ...common, settings: each, prepared: index === 0 ? prepared : undefined, desk }),
    ),
  )
  const local = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const stop = async () => {
    await machines?.[Symbol.asyncDispose]()
    await Promise.all(local.map((worker) => worker[Symbol.asyncDispose]()))
  }
  let machines: MachineServer | undefined
  const failed = started.find((result) => result.status === 'rejected')
  if (failed !== undefined) {
    await stop()
    throw failed.reason
  }
  const tellGone = () => {
    for (const worker of [...local, ...(machines?.workers() ?? [])]) worker.send({ kind: 'workersChanged' })
  }
  if (openMachines !== undefined) machines = await openMachines(desk, tellGone)
  const router = new WorkerRouter({ local, machines, owners, assignment, readers })
  const all = <T>(ask: (worker: RunningWorker) => readonly T[]) => router.workers().flatMap(ask)
  return {
    plane: mediaPlane(router, {
      clipEnd: async (question) => (await readers?.clipEnd(question)) ?? question.till,
      decodesSound: settings.some(({ ffmpeg, motionCameras }) => ffmpeg !== undefined && motionCameras > 0),
      encodes: {
        get sound() {
          return encoding.now().sound
        },
        get pictures() {
          return encoding.now().pictures
        },
      },
      makesPictures: settings.some(({ ffmpeg, pictureStreams }) => ffmpeg !== undefined && pictureStreams > 0),
    }),
    async figures() {
      const answers = await Promise.all(
        router.workers().map(async (worker) => [worker.workerId, await worker.figures()] as const),
      )
      return new Map(answers.flatMap(([id, answer]) => (answer === undefined ? [] : [[id, answer] as const])))
    },
    upgrade: (req, socket, head) => void router.open({ request: toStreamRequest(req), socket, head }),
    openRtsp: (url, { address, ...connection }) =>
      void router.open({ request: toRtspRequest(url, address), ...connection }),
    answerStream: (req, res) => void router.answerStream(req, res),
    revoked: () => all((worker) => [worker.send({ kind: 'revoked' })]),
    unready: () => all((worker) => worker.unready()),
    problems: () => [...all((worker) => worker.problems()), ...(machines?.problems() ?? [])],
    [Symbol.asyncDispose]: stop,
  }
}

/** What the API asks of the workers. */
const mediaPlane = (
  router: WorkerRouter,
  abilities: Pick<MediaPlane, 'decodesSound' | 'makesPictures' | 'encodes' | 'clipEnd'>,
  discoveries = new JoinedDiscoveries(),
): MediaPlane => ({
  ...abilities,
  async snapshot({ cameraId, format }) {
    return (await router.findServer(cameraId)?.snapshot({ cameraId, format })) ?? { kind: 'timedOut' }
  },
  async recordedPicture(question) {
    const { accountId, cameraId, at: time } = question
    const reader = await router.findReader({ accountId, cameraId, stream: 'main', time })
    return (await reader?.recordedPicture(question)) ?? { kind: 'timedOut' }
  },
  exportedClip: async (address, signal) => readExportedClip(await router.requestClip(address), signal),
  async command<Name extends CameraCommandName>(question: CameraCommandQuestion<Name>) {
    const answer = await router.findServer(question.cameraId)?.command(question)
    return (answer as CameraCommandAnswer<Name> | undefined) ?? { kind: 'timedOut' }
  },
  async talk(question) {
    return (await router.findServer(question.cameraId)?.talk(question)) ?? { kind: 'timedOut' }
  },
  discovery: (question) => discoveries.ask(router.listDiscoverers(question.accountId), question),
  async motionPreview(question) {
    return (await router.findServer(question.cameraId)?.motionPreview(question)) ?? NO_PREVIEW
  },
  camerasChanged() {
    for (const worker of router.workers()) worker.send({ kind: 'camerasChanged' })
  },
  eventAdded(event) {
    for (const worker of router.workers()) worker.send({ kind: 'eventAdded', ...event })
  },
})
