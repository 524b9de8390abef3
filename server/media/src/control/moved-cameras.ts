import { MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from '@sightline/platform/clock'
import type { Db, IdSource } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import type { CameraConnect } from '../source/index.ts'
import type { CameraLog } from './camera-log.ts'
import type { ChannelKeeper } from './channel-keeper.ts'
import type { KeyService } from './key-service.ts'
import type { MacLocator } from './mac-locator.ts'
import { recognizeCamera } from './moved-camera.ts'
import { loadMovable, type MovableCamera, saveMoved } from './moved-camera-store.ts'

export interface MovedCamerasDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly channels: Pick<ChannelKeeper, 'cameraIds' | 'isOnline'>
  readonly locator: Pick<MacLocator, 'locateAll' | 'macAddressAt'>
  readonly connectOf: (accountId: number) => CameraConnect
  readonly keyService: Pick<KeyService, 'openPassword'>
  readonly cameraLog: Pick<CameraLog, 'note'>
  /** The list of cameras has changed. */
  readonly onMoved: () => void
  readonly log: Logger
  readonly now: () => number
}

/** How long a camera is away before each search for it: first those that got another address, then those that come back some day. */
const SEARCH_AFTER_MS = [30 * MS_PER_SECOND, 2 * MS_PER_MINUTE, 5 * MS_PER_MINUTE, 15 * MS_PER_MINUTE] as const
const SEARCH_EVERY_MS = MS_PER_HOUR
const LOOK_EVERY_MS = 5 * MS_PER_SECOND
/** How long to wait before sending another password digest to a device that rejected one. */
const STRANGER_MS = 24 * MS_PER_HOUR

interface Absence {
  readonly since: number
  searches: number
}

/** Searches the account's networks for cameras that can't be reached at their address (docs/decisions/0136). */
export class MovedCameras implements AsyncDisposable {
  readonly #deps: MovedCamerasDeps
  readonly #absences = new Map<number, Absence>()
  /** Devices that aren't the camera they claim to be, and until when to skip them. */
  readonly #strangers = new Map<string, number>()
  readonly #stop = new AbortController()
  readonly #timer: NodeJS.Timeout
  #looking: Promise<void> | undefined

  constructor(deps: MovedCamerasDeps) {
    this.#deps = deps
    this.#timer = setInterval(() => this.#lookLater(), LOOK_EVERY_MS).unref()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.#stop.abort()
    await this.#looking
  }

  /** One at a time: a search takes longer than the time between two looks. */
  #lookLater(): void {
    this.#looking ??= this.look()
      .catch((err: unknown) => this.#deps.log.warn({ err }, 'could not look for cameras at other addresses'))
      .finally(() => {
        this.#looking = undefined
      })
  }

  /** Searches for all missing cameras of the accounts where a search is due. */
  async look(): Promise<void> {
    const { db, channels, now } = this.#deps
    const missing = channels.cameraIds().filter((cameraId) => !channels.isOnline(cameraId))
    this.#keepAbsences(missing)
    const due = missing.filter((cameraId) => this.#isDue(cameraId))
    if (due.length === 0) return
    const cameras = await loadMovable(db, missing)
    const accounts = Map.groupBy(cameras, ({ accountId }) => accountId)
    for (const cameraId of due) this.#count(cameraId)
    for (const [accountId, lost] of accounts) {
      if (!lost.some(({ cameraId }) => due.includes(cameraId))) continue
      await this.#search(accountId, lost)
      if (this.#stop.signal.aborted) return
    }
    for (const [key, until] of this.#strangers) if (until <= now()) this.#strangers.delete(key)
  }

  #keepAbsences(missing: readonly number[]): void {
    const since = this.#deps.now()
    for (const cameraId of missing)
      if (!this.#absences.has(cameraId)) this.#absences.set(cameraId, { since, searches: 0 })
    for (const cameraId of this.#absences.keys()) if (!missing.includes(cameraId)) this.#absences.delete(cameraId)
  }

  #isDue(cameraId: number): boolean {
    const absence = this.#absences.get(cameraId)
    return absence !== undefined && this.#deps.now() - absence.since >= searchDelay(absence.searches)
  }

  #count(cameraId: number): void {
    const absence = this.#absences.get(cameraId)
    if (absence !== undefined) absence.searches++
  }

  async #search(accountId: number, cameras: readonly MovableCamera[]): Promise<void> {
    const { locator } = this.#deps
    const { signal } = this.#stop
    const found = await locator.locateAll(accountId, new Set(cameras.map(({ macAddress }) => macAddress)))
    await Promise.all(
      cameras.map(async (camera) => {
        const elsewhere = (found.get(camera.macAddress) ?? []).filter((address) => address !== camera.address)
        for (const address of elsewhere) {
          if (signal.aborted || this.#strangers.has(strangerKey(camera, address))) continue
          if (await this.#tryAt(camera, address)) return
        }
      }),
    )
  }

  /** Whether the camera was found. */
  async #tryAt(camera: MovableCamera, address: string): Promise<boolean> {
    const { connectOf, keyService, locator, now } = this.#deps
    const { accountId, username, passwordSealed } = camera
    const password = passwordSealed === null ? '' : await keyService.openPassword(camera, passwordSealed)
    const recognized = await recognizeCamera({
      camera,
      address,
      resolved: await locator.macAddressAt(address),
      credentials: username === null ? undefined : { username, password },
      connect: connectOf(accountId),
      signal: this.#stop.signal,
    })
    if (recognized.kind === 'stranger') {
      this.#strangers.set(strangerKey(camera, address), now() + STRANGER_MS)
      const detail = `the device at ${address} names the MAC address of this camera, but ${recognized.why}`
      this.#note(camera, { level: 'warning', event: 'addressNotTrusted', detail })
    }
    return recognized.kind === 'camera' && (await this.#move(camera, address))
  }

  async #move(camera: MovableCamera, address: string): Promise<boolean> {
    if (!(await saveMoved(this.#deps, camera, address))) return true
    const detail = `the camera was found at ${address}; before it was at ${camera.address}`
    this.#note(camera, { level: 'info', event: 'addressChanged', detail })
    this.#deps.log.info({ cameraId: camera.cameraId }, 'a camera was found at another address')
    this.#deps.onMoved()
    return true
  }

  #note(
    { accountId, cameraId }: MovableCamera,
    entry: Omit<Parameters<CameraLog['note']>[0], 'accountId' | 'cameraId' | 'at'>,
  ): void {
    this.#deps.cameraLog.note({ accountId, cameraId, at: this.#deps.now(), ...entry })
  }
}

/** Different credentials or a different certificate make a new attempt worthwhile. */
const strangerKey = ({ cameraId, username, passwordSealed, onvif }: MovableCamera, address: string): string =>
  JSON.stringify([cameraId, address, username, passwordSealed?.toString('hex'), onvif?.certificate?.toString('hex')])

/** Milliseconds of absence before the next search. `searches`: how many there were. */
export function searchDelay(searches: number): number {
  const last = SEARCH_AFTER_MS.length - 1
  return SEARCH_AFTER_MS[searches] ?? (SEARCH_AFTER_MS[last] ?? 0) + (searches - last) * SEARCH_EVERY_MS
}
