import type { Logger } from '@sightline/platform/log'
import { type ObjectStore, type S3Settings, s3ObjectStore } from '@sightline/platform/object-store'
import { FootageCopy, listStreams, type StreamKey } from '../recording/index.ts'

/** What a bucket is for: `copy`, what the disk keeps; `store`, also what left the disk to make room. */
export interface FootageBucket extends S3Settings {
  readonly use: 'copy' | 'store'
}

export interface FootageCopierDeps {
  readonly store: string
  /** Undefined: nothing is copied. */
  readonly s3: FootageBucket | undefined
  readonly log: Logger
  readonly now: () => number
  readonly isOwn: (stream: StreamKey) => boolean
  /** A test may want it short. */
  readonly everyMs?: number
  readonly open?: (settings: S3Settings) => ObjectStore
}

export interface FootageCopier extends AsyncDisposable {
  /** None while copying is not late. */
  problems(): readonly string[]
  /** Removes copies of a day's key; rejects while the store is away. */
  eraseKey(camera: Pick<StreamKey, 'accountId' | 'cameraId'>, day: string): Promise<void>
  eraseAccount(accountId: number): Promise<void>
}

const COPY_EVERY_MS = 30_000

const NO_COPY: FootageCopier = {
  problems: () => [],
  eraseKey: async () => undefined,
  eraseAccount: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
}

/** Copies the footage of this worker's cameras to S3 as it is recorded. */
export function openFootageCopier(deps: FootageCopierDeps): FootageCopier {
  const { s3, store, log, now, isOwn, open = s3ObjectStore } = deps
  if (s3 === undefined) return NO_COPY
  const objects = open(s3)
  const copy = new FootageCopy({ store, objects, now, isStore: s3.use === 'store' })
  let failure = ''
  const update = async () => {
    try {
      await copy.update((await listStreams(store)).filter(isOwn))
      if (failure !== '') log.info('footage is copied to S3 again')
      failure = ''
    } catch (err) {
      const text = String(err)
      // Once, not every half minute.
      if (text !== failure) log.warn({ err }, 'could not copy footage to S3; trying again')
      failure = text
    }
  }
  let updating: Promise<void> | undefined
  const timer = setInterval(() => {
    updating ??= update().finally(() => (updating = undefined))
  }, deps.everyMs ?? COPY_EVERY_MS)
  return {
    problems: () => (copy.problem === undefined ? [] : [copy.problem]),
    eraseKey: (camera, day) => copy.eraseKey(camera, day),
    eraseAccount: (accountId) => copy.eraseAccount(accountId),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      objects[Symbol.dispose]()
      await updating
    },
  }
}
