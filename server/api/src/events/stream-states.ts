import { hash } from 'node:crypto'
import type { AuthPlane } from '@sightline/contract/auth-plane'
import { type CameraStatus, getCameraStatuses } from '@sightline/contract/cameras'
import { getCameraJobs } from '@sightline/contract/device-jobs'
import { getDevices } from '@sightline/contract/devices'
import type { CameraJob, FollowedDevice, FollowedState, StateChanges } from '@sightline/contract/event-states'
import { type FootageExport, getExports } from '@sightline/contract/exports'
import { getMemberDenyReason } from '@sightline/contract/rights'
import { type FootageShare, getShares } from '@sightline/contract/shares'
import { getSupportSessions, type SupportSession } from '@sightline/contract/support-sessions'
import type { Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { listStatuses } from '../cameras/index.ts'
import { listCameraJobs } from '../device-jobs/index.ts'
import { listFollowedDevices } from '../devices/index.ts'
import { listExports } from '../exports/index.ts'
import { listShares } from '../shares/index.ts'
import type { EventFilter } from './store.ts'

interface States {
  readonly cameras: CameraStatus
  readonly exports: FootageExport
  readonly shares: FootageShare
  readonly devices: FollowedDevice
  readonly jobs: CameraJob
  readonly supportSessions: SupportSession
}

/** States that were read; a kind that wasn't is missing. */
export type FoundStates = { readonly [Kind in FollowedState]?: readonly States[Kind][] }

export interface StateDeps {
  readonly auth: Pick<AuthPlane, 'listSupportSessions'>
  readonly now: () => number
}

const rules = {
  cameras: getCameraStatuses,
  exports: getExports,
  shares: getShares,
  devices: getDevices,
  jobs: getCameraJobs,
  supportSessions: getSupportSessions,
} as const

/** States by the same rules as the calls that list them: without the right to call one, there are none. */
export async function loadStates(
  tx: Tx,
  caller: MemberCaller,
  {
    kinds,
    filter,
    auth,
    now,
  }: StateDeps & { readonly kinds: ReadonlySet<FollowedState>; readonly filter: EventFilter },
): Promise<FoundStates> {
  const { zoneIds, cameraIds } = filter
  const lists: { readonly [Kind in FollowedState]: () => Promise<States[Kind][]> } = {
    cameras: () => listStatuses(tx, caller, { zoneIds, cameraIds }),
    exports: () => listExports(tx, caller),
    shares: () => listShares(tx, caller, now()),
    devices: () => listFollowedDevices(tx, caller),
    jobs: () => listCameraJobs(tx, caller),
    supportSessions: () => auth.listSupportSessions(caller),
  }
  const found: Partial<Record<FollowedState, readonly unknown[]>> = {}
  for (const kind of kinds) {
    found[kind] = getMemberDenyReason(rules[kind], caller) === undefined ? await lists[kind]() : []
  }
  return found as FoundStates
}

/** What a stream sent of each camera, export …, as a hash: a stream may be open for days, and there are many. */
type Sent = ReadonlyMap<number, string>

const nothing: Sent = new Map()

/** The states that one stream sent, so that only changes are sent after that. */
export class SentStates {
  #isBegun = false
  readonly #sent = new Map<FollowedState, Sent>()

  /** What to send; undefined if nothing changed. The first is complete. */
  next(found: FoundStates): StateChanges | undefined {
    const complete = !this.#isBegun
    this.#isBegun = true
    const cameras = this.#compare('cameras', found.cameras, ({ cameraId }) => cameraId)
    const exports = this.#compare('exports', found.exports, ({ exportId }) => exportId)
    const shares = this.#compare('shares', found.shares, ({ shareId }) => shareId)
    const devices = this.#compare('devices', found.devices, ({ deviceId }) => deviceId)
    const jobs = this.#compare('jobs', found.jobs, ({ jobId }) => jobId)
    const sessions = this.#compare('supportSessions', found.supportSessions, ({ tokenId }) => tokenId)
    const all = [cameras, exports, shares, devices, jobs, sessions]
    if (!complete && all.every(({ changed, gone }) => changed.length + gone.length === 0)) return undefined
    return {
      complete,
      cameras: cameras.changed,
      goneCameraIds: cameras.gone,
      exports: exports.changed,
      goneExportIds: exports.gone,
      shares: shares.changed,
      goneShareIds: shares.gone,
      devices: devices.changed,
      goneDeviceIds: devices.gone,
      jobs: jobs.changed,
      goneJobIds: jobs.gone,
      supportSessions: sessions.changed,
      goneTokenIds: sessions.gone,
    }
  }

  #compare<Item>(kind: FollowedState, items: readonly Item[] | undefined, idOf: (item: Item) => number) {
    if (items === undefined) return { changed: [], gone: [] }
    const before = this.#sent.get(kind) ?? nothing
    const now = new Map(items.map((item) => [idOf(item), hash('sha256', JSON.stringify(item), 'base64')]))
    this.#sent.set(kind, now)
    return {
      changed: items.filter((item) => before.get(idOf(item)) !== now.get(idOf(item))),
      gone: [...before.keys()].filter((id) => !now.has(id)),
    }
  }
}
