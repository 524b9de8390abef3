import { hash } from 'node:crypto'
import { type CameraStatus, getCameraStatuses } from '@sightline/contract/cameras'
import type { FollowedState, StateChanges } from '@sightline/contract/event-states'
import { type FootageExport, getExports } from '@sightline/contract/exports'
import { getMemberDenyReason } from '@sightline/contract/rights'
import type { Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { listStatuses } from '../cameras/index.ts'
import { listExports } from '../exports/index.ts'
import type { EventFilter } from './store.ts'

/** What a stream sent of each camera or export, as a hash: a stream may be open for days, and there are many. */
type Sent = ReadonlyMap<number, string>

/** States that were read; undefined for a kind that wasn't. */
export interface FoundStates {
  readonly cameras: readonly CameraStatus[] | undefined
  readonly exports: readonly FootageExport[] | undefined
}

const none: Sent = new Map()

const rules = { cameras: getCameraStatuses, exports: getExports } as const

/** States by the same rules as the calls that list them: without the right to call one, there are none. */
export async function loadStates(
  tx: Tx,
  caller: MemberCaller,
  { kinds, filter }: { readonly kinds: ReadonlySet<FollowedState>; readonly filter: EventFilter },
): Promise<FoundStates> {
  const mayList = (kind: FollowedState) => getMemberDenyReason(rules[kind], caller) === undefined
  const { zoneIds, cameraIds } = filter
  const cameras = () => (mayList('cameras') ? listStatuses(tx, caller, { zoneIds, cameraIds }) : [])
  const exports = () => (mayList('exports') ? listExports(tx, caller) : [])
  return {
    cameras: kinds.has('cameras') ? await cameras() : undefined,
    exports: kinds.has('exports') ? await exports() : undefined,
  }
}

/** The states that one stream sent, so that only changes are sent after that. */
export class SentStates {
  #isBegun = false
  #cameras = none
  #exports = none

  /** What to send; undefined if nothing changed. The first is complete. */
  next({ cameras, exports }: FoundStates): StateChanges | undefined {
    const complete = !this.#isBegun
    this.#isBegun = true
    const ofCameras = compare(this.#cameras, cameras, ({ cameraId }) => cameraId)
    const ofExports = compare(this.#exports, exports, ({ exportId }) => exportId)
    this.#cameras = ofCameras.sent
    this.#exports = ofExports.sent
    const lists = {
      cameras: ofCameras.changed,
      goneCameraIds: ofCameras.gone,
      exports: ofExports.changed,
      goneExportIds: ofExports.gone,
    }
    const isNews = complete || Object.values(lists).some((list) => list.length > 0)
    return isNews ? { complete, ...lists } : undefined
  }
}

function compare<Item>(sent: Sent, items: readonly Item[] | undefined, idOf: (item: Item) => number) {
  if (items === undefined) return { sent, changed: [], gone: [] }
  const now = new Map(items.map((item) => [idOf(item), hash('sha256', JSON.stringify(item), 'base64')]))
  return {
    sent: now,
    changed: items.filter((item) => sent.get(idOf(item)) !== now.get(idOf(item))),
    gone: [...sent.keys()].filter((id) => !now.has(id)),
  }
}
