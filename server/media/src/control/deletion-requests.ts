import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { findDenyReason, type StoreKeeper, type StreamKey, type TimeRange } from '../recording/index.ts'
import type { DeletionLedger } from './deletion-ledger.ts'
import { type DeletionRequest, finishRequest, loadWaitingRequests } from './deletion-ledger-store.ts'

export interface DeletionRequestDeps {
  readonly db: Db
  /** The name of this disk. */
  readonly disk: string
  readonly log: Logger
  readonly now: () => number
  readonly keeper: Pick<StoreKeeper, 'deleteRange'>
  readonly ledger: Pick<DeletionLedger, 'record'>
  readonly locksOf: (cameraId: number) => readonly TimeRange[]
  readonly isOwn: (camera: { readonly cameraId: number }) => boolean
}

const STREAMS = ['main', 'sub'] as const

/**
 * Deletes the ranges that users want deleted, as far as this worker keeps them on its disk. A request is done when the
 * footage is gone from all disks and the ledger has it; one that fails, or is interrupted, is tried again the next time.
 */
export async function serveDeletionRequests(deps: DeletionRequestDeps): Promise<void> {
  const { db, disk, now, log, isOwn, locksOf } = deps
  for (const request of (await loadWaitingRequests(db, disk)).filter(isOwn)) {
    try {
      const denyReason = findDenyReason(request, { locks: locksOf(request.cameraId), now })
      if (denyReason === undefined) await deleteAll(request, deps)
      await finishRequest(db, request, { disk, denyReason, now: now() })
    } catch (err) {
      // The others must not wait for it.
      log.error({ err, cameraId: request.cameraId }, 'could not delete footage that a user wants deleted; trying again')
    }
  }
}

async function deleteAll(request: DeletionRequest, { keeper, ledger }: DeletionRequestDeps): Promise<void> {
  const { accountId, cameraId } = request
  for (const stream of STREAMS) {
    const key: StreamKey = { accountId, cameraId, stream }
    await keeper.deleteRange(key, request, String(request.by))
    await ledger.record(key)
  }
}
