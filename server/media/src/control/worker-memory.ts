import type { AssignedNetworks, CameraNetworks } from './camera-networks.ts'
import type { FootageKeyring, PreparedKeys } from './footage-keyring.ts'
import type { LivingWorker } from './membership.ts'
import type { CameraToServe } from './store.ts'

/**
 * What a worker needs to record its cameras without the database. The process that starts workers keeps it, in memory only, for
 * the one that it starts if this one dies (docs/decisions/0178). Crosses a process border.
 */
export interface WorkerMemory {
  readonly cameras: readonly CameraToServe[]
  readonly passwords: ReadonlyMap<number, string>
  /** Of the leases that it held. */
  readonly fences: ReadonlyMap<number, number>
  readonly dayKeys: PreparedKeys
  readonly networks: AssignedNetworks | undefined
  /** All that share the cameras. */
  readonly workers: readonly LivingWorker[]
}

export interface WorkerMemoryDeps {
  readonly remember: (memory: WorkerMemory) => void
  readonly keys: Pick<FootageKeyring, 'prepared'>
  readonly networks: Pick<CameraNetworks, 'assigned'>
  readonly workers: () => readonly LivingWorker[]
}

/** Has remembered what this worker knows, whenever it changes. */
export class WorkerMemoryKeeper {
  readonly #deps: WorkerMemoryDeps
  #cameras: readonly CameraToServe[] = []
  readonly #passwords = new Map<number, string>()
  readonly #fences = new Map<number, number>()
  #isDue = false
  #last = ''

  constructor(deps: WorkerMemoryDeps) {
    this.#deps = deps
  }

  /** What the process before this one knew holds until this one knows better. */
  recall({ cameras, passwords, fences }: WorkerMemory): void {
    for (const [cameraId, password] of passwords) this.#passwords.set(cameraId, password)
    for (const [cameraId, fence] of fences) this.#fences.set(cameraId, fence)
    this.listed(cameras)
  }

  /** The cameras of this worker, also those that are private; others are forgotten at once. */
  listed(cameras: readonly CameraToServe[]): void {
    this.#cameras = cameras
    const ids = new Set(cameras.map(({ cameraId }) => cameraId))
    for (const known of [this.#passwords, this.#fences])
      for (const cameraId of known.keys()) if (!ids.has(cameraId)) known.delete(cameraId)
    this.changed()
  }

  opened(cameraId: number, password: string | undefined): void {
    if (password === undefined) this.#passwords.delete(cameraId)
    else this.#passwords.set(cameraId, password)
    this.changed()
  }

  leased(cameraId: number, fence: number): void {
    this.#fences.set(cameraId, fence)
    this.changed()
  }

  /** Compares in the next turn, once for all that changed in this one. */
  changed(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#tell()
    })
  }

  #tell(): void {
    const { remember, keys, networks, workers } = this.#deps
    const memory: WorkerMemory = {
      cameras: this.#cameras,
      passwords: new Map(this.#passwords),
      fences: new Map(this.#fences),
      dayKeys: keys.prepared(),
      networks: networks.assigned,
      workers: workers(),
    }
    const text = textOf(memory)
    if (text === this.#last) return
    this.#last = text
    remember(memory)
  }
}

/** The same for two memories with the same content. */
const textOf = ({ cameras, passwords, fences, dayKeys, networks, workers }: WorkerMemory): string =>
  JSON.stringify([
    cameras,
    [...passwords],
    [...fences],
    [...dayKeys].map(([cameraId, days]) => [cameraId, [...days.values()].map(({ keyId }) => keyId)]),
    networks && [...networks],
    workers,
  ])
