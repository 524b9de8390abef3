import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@sightline/platform/log'
import {
  type RetentionReport,
  type RunLog,
  type SegmentFiles,
  type SyncGroup,
  storeKeeper,
} from '../recording/index.ts'
import { DeletionLedger } from './deletion-ledger.ts'
import { serveDeletionRequests } from './deletion-requests.ts'
import { eraseGoneAccounts } from './erased-accounts.ts'
import type { FootageCopier } from './footage-copier.ts'
import type { FootageKeyring } from './footage-keyring.ts'
import type { MediaWorkerDeps } from './media-worker.ts'
import type { Membership } from './membership.ts'
import { loadStorageRules, type StorageRules } from './storage-rules-store.ts'
import { dropOldTickets } from './store.ts'

const SWEEP_EVERY_MS = 10_000
/** Then the disk is swept by what was last known. */
const DATABASE_PATIENCE_MS = 5000

export interface StorageSweeperDeps extends Pick<MediaWorkerDeps, 'db' | 'log' | 'now' | 'store' | 'storeLimitBytes'> {
  readonly keys: Pick<FootageKeyring, 'erase' | 'find'>
  readonly copier: Pick<FootageCopier, 'eraseKey' | 'eraseAccount'>
  readonly files: SegmentFiles
  readonly group: SyncGroup
  readonly runs: RunLog
  /** Which streams are this worker's: only their owner deletes from them. */
  readonly membership: Pick<Membership, 'keeps' | 'isFirstOnDisk' | 'isSteady'>
  /** The name of the disk. */
  readonly disk: string
  /** Resolves once nothing is recorded of accounts that are gone. */
  readonly letGo: () => Promise<void>
  /** Milliseconds since 1970, by the database's clock as far as it is known. */
  readonly databaseNow: () => number
  /** Milliseconds that never jump. */
  readonly monotonic?: () => number
  /** A test may want it short. */
  readonly everyMs?: number
}

/** Deletes footage of accounts that are gone, and beyond the limit, oldest first; old tickets too. */
export function storageSweeper(deps: StorageSweeperDeps): AsyncDisposable {
  const { db, log, now, group, runs, keys, copier, letGo, membership } = deps
  const stopping = new AbortController()
  let maxAges = new Map<number, number>()
  /** Undefined until the database was asked once: nothing is deleted before it is known what must stay. */
  let rules: Omit<StorageRules, 'maxAges'> | undefined
  const isOwn = ({ cameraId }: { readonly cameraId: number }) => membership.isSteady && membership.keeps(cameraId)
  const ledger = new DeletionLedger({ db, store: deps.store, disk: deps.disk, runs, now, isOwn })
  const keeper = storeKeeper({
    store: deps.store,
    limitBytes: deps.storeLimitBytes,
    maxAgeMs: ({ cameraId }) => maxAges.get(cameraId),
    quotaBytes: (accountId) => rules?.quotas.get(accountId),
    locks: ({ cameraId }) => rules?.locks.get(cameraId) ?? [],
    isOwn,
    deleted: (stream) => ledger.deleted(stream),
    keys,
    files: deps.files,
    group,
    runs,
    eraseKey: async (stream, day) => {
      await copier.eraseKey(stream, day)
      await keys.erase(stream, day)
    },
    now,
    otherClockAheadMs: () => deps.databaseNow() - now(),
    ...(deps.monotonic && { monotonic: deps.monotonic }),
  })
  /** Undefined before the first sweep. */
  let clock: RetentionReport['clock'] | undefined
  const askDatabase = async () => {
    await dropOldTickets(db, now() - 3_600_000)
    const loaded = await loadStorageRules(db, clock === 'trusted' ? now() : undefined)
    rules = loaded
    // Cameras of which nothing is known any more keep their age until nothing of them is left.
    maxAges = new Map([...maxAges, ...loaded.maxAges])
    if (membership.isFirstOnDisk) await eraseGoneAccounts({ ...deps, group }, letGo)
  }
  const warn = (err: unknown) => log.warn({ err }, 'could not delete expired footage')
  const logClock = clockAlarm(log)
  /** Undefined while none runs. */
  let asking: Promise<void> | undefined
  const sweep = async () => {
    asking ??= askDatabase()
      .catch(warn)
      .finally(() => (asking = undefined))
    await Promise.race([
      asking,
      sleep(DATABASE_PATIENCE_MS, undefined, { signal: stopping.signal }).catch(() => undefined),
    ])
    // A disk must not fill because the database is away, or because of what cannot be erased.
    if (rules === undefined) return
    const done = await keeper.sweep().catch(warn)
    clock = done?.clock ?? clock
    if (done !== undefined) logClock(done.clock)
    // While the database is away, both wait for it.
    if (asking !== undefined) return
    const locks = rules.locks
    const locksOf = (cameraId: number) => locks.get(cameraId) ?? []
    await serveDeletionRequests({ db, disk: deps.disk, log, now, keeper, ledger, locksOf, isOwn }).catch(warn)
    await ledger.update().catch((err: unknown) => log.warn({ err }, 'could not write down what footage was deleted'))
  }
  let sweeping: Promise<void> | undefined
  const timer = setInterval(() => {
    sweeping ??= sweep().finally(() => (sweeping = undefined))
  }, deps.everyMs ?? SWEEP_EVERY_MS)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stopping.abort()
      await sweeping
    },
  }
}

/** Logs once when the clock is no longer trusted, and once when it is again. */
function clockAlarm(log: Pick<Logger, 'error' | 'info'>): (clock: RetentionReport['clock']) => void {
  let known: RetentionReport['clock'] = 'trusted'
  return (clock) => {
    if (clock === known) return
    known = clock
    if (clock === 'trusted') log.info('footage is deleted by age again')
    else log.error(`${DISTRUST[clock]}: no footage is deleted by age until ${DISTRUST_ENDS[clock]}`)
  }
}

const DISTRUST = {
  jumped: "this machine's clock jumped by more than an hour",
  unconfirmed: "this machine's clock is more than a day ahead of the last footage, or behind it",
  disagrees: "this machine's clock differs from the database's by more than an hour",
} as const

const STEADY = 'the clock is corrected or has been steady for a day'
const DISTRUST_ENDS = { jumped: STEADY, unconfirmed: STEADY, disagrees: 'both clocks are right' } as const
