import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { WantedFootage } from '@sightline/media/control'
import { addressOfAwayFootage, type FootageReader, type FootageReaders } from './footage-readers.ts'
import type { KeyAssignment } from './key-assignment.ts'
import type { MachineServer } from './machines/machine-server.ts'
import { streamCamera } from './machines/request-grant.ts'
import { answerUnavailable, readRequestBody } from './piped-stream.ts'
import type { CameraOwners, OpeningStream, RunningWorker } from './worker-connection.ts'

export interface WorkerRouterDeps {
  /** Of this machine. */
  readonly local: readonly RunningWorker[]
  /** Undefined if all workers are on this machine. */
  readonly machines: Pick<MachineServer, 'workers' | 'isUnsettled'> | undefined
  readonly owners: Pick<CameraOwners, 'find'>
  readonly assignment: Pick<KeyAssignment, 'isAssigned'>
  /** Undefined if all footage is on this machine. */
  readonly readers: FootageReaders | undefined
}

/** Finds the worker for a request: the one that serves the camera, or one of the machine that has the footage. */
export class WorkerRouter {
  readonly #deps: WorkerRouterDeps

  constructor(deps: WorkerRouterDeps) {
    this.#deps = deps
  }

  workers(): readonly RunningWorker[] {
    return [...this.#deps.local, ...(this.#deps.machines?.workers() ?? [])]
  }

  /** A camera that no worker serves is any worker's: it says so. */
  findServer(cameraId: number): RunningWorker | undefined {
    return this.#findOwner(cameraId) ?? this.#deps.local[0]
  }

  /** Who searches for an account's cameras: one worker of each machine, always the same one, because it remembers what it found. */
  listDiscoverers(accountId: number): readonly RunningWorker[] {
    const byDisk = Map.groupBy(this.workers(), ({ disk }) => disk)
    return [...byDisk.values()].flatMap((workers) => workers[accountId % workers.length] ?? [])
  }

  /** Undefined while the machine with the footage is away. */
  async findReader(wanted: WantedFootage): Promise<RunningWorker | undefined> {
    const reader = await this.#deps.readers?.find(wanted, this.workers()).catch(() => undefined)
    return this.#workerFor(reader, wanted.cameraId)
  }

  /** Hands a viewer's connection to a worker. */
  async open(stream: OpeningStream): Promise<void> {
    const { request, socket } = stream
    // Only an installation of several machines has to look: the connection is handed over at once otherwise.
    if (this.#deps.readers === undefined) return this.#openAtServer(stream)
    socket.on('error', () => socket.destroy())
    const reader = await this.#findReaderFor(request.url)
    if (reader.kind === 'worker') reader.worker.upgrade(stream)
    else if (reader.kind === 'none') this.#openAtServer(stream)
    else this.#openAtServer({ ...stream, request: { ...request, url: addressOfAwayFootage(request.url) } })
  }

  /** Answers a request of a stream over HTTP. */
  async answerStream(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { url = '' } = req
    const body = await readRequestBody(req).catch(() => undefined)
    if (body === undefined) return void res.writeHead(413, { connection: 'close', 'content-length': '0' }).end()
    const worker = this.#findSessionHolder(url) ?? this.#workerFor(await this.#findReaderFor(url), streamCamera(url))
    if (worker === undefined) answerUnavailable(res)
    else worker.answerStream({ req, res, body })
  }

  /** The pieces of a playlist come from the worker that made it, which its addresses name. */
  #findSessionHolder(url: string): RunningWorker | undefined {
    const session = URL.parse(url, 'http://media')?.searchParams.get('session')
    const workerId = session?.slice(0, session.lastIndexOf('.'))
    return workerId === undefined ? undefined : this.workers().find((worker) => worker.workerId === workerId)
  }

  /** Asks the worker with the footage for the clip of an export; undefined while its machine is away. */
  async requestClip(url: string): Promise<ClientRequest | undefined> {
    return this.#workerFor(await this.#findReaderFor(url), streamCamera(url))?.requestClip(url)
  }

  #openAtServer(stream: OpeningStream): void {
    const cameraId = streamCamera(stream.request.url)
    // Its next owner may not have said so yet; the viewer tries again. Of a private camera, only the key holder knows that it is private.
    const other = this.#isUnsettled() ? undefined : (this.#findKeyHolder(cameraId) ?? this.#deps.local[0])
    const worker = this.#findOwner(cameraId) ?? other
    if (worker === undefined) stream.socket.destroy()
    else worker.upgrade(stream)
  }

  #workerFor(reader: FootageReader | undefined, cameraId: number): RunningWorker | undefined {
    if (reader?.kind === 'away') return undefined
    return reader?.kind === 'worker' ? reader.worker : (this.#findKeyHolder(cameraId) ?? this.#deps.local[0])
  }

  /** Without the database, whoever serves the camera plays what it has. */
  async #findReaderFor(url: string): Promise<FootageReader> {
    const found = await this.#deps.readers?.findForAddress(url, this.workers()).catch(() => undefined)
    return found ?? { kind: 'none' }
  }

  #findOwner(cameraId: number): RunningWorker | undefined {
    const owner = this.#deps.owners.find(cameraId)
    return this.workers().find(({ workerId }) => workerId === owner)
  }

  /** Nobody is connected to a private camera, but one worker may have the keys of its footage. */
  #findKeyHolder(cameraId: number): RunningWorker | undefined {
    const { assignment } = this.#deps
    return (
      this.#findOwner(cameraId) ?? this.workers().find((worker) => assignment.isAssigned(cameraId, worker.workerId))
    )
  }

  #isUnsettled(): boolean {
    const workers = this.workers()
    const isStarting = workers.length > 1 && workers.some((worker) => !worker.isSettled())
    return isStarting || (this.#deps.machines?.isUnsettled() ?? false)
  }
}
