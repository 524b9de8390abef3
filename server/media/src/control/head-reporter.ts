import type { Logger } from '@sightline/platform/log'
import { type ChainHead, chainHeads, type SyncGroup } from '../recording/index.ts'

export interface HeadReporterDeps {
  readonly group: SyncGroup
  /** Whether this worker keeps the camera's footage on its disk. */
  readonly keeps: (cameraId: number) => boolean
  /** Gets the heads that are new and on the disk. */
  readonly report: (heads: readonly ChainHead[]) => void
  readonly log: Logger
  /** A test may want it short. */
  readonly everyMs?: number
}

const REPORT_EVERY_MS = 60_000

/** Reports the new heads of this worker's chains once a minute, and when it stops, so that they are signed. */
export function headReporter({
  group,
  keeps,
  report,
  log,
  everyMs = REPORT_EVERY_MS,
}: HeadReporterDeps): AsyncDisposable {
  const reportNow = async () => {
    const heads = (await chainHeads(group).take()).filter(({ cameraId }) => keeps(cameraId))
    if (heads.length > 0) report(heads)
  }
  let reporting: Promise<void> | undefined
  const begin = () =>
    (reporting ??= reportNow()
      .catch((err: unknown) => log.error({ err }, 'could not report the heads of lists of footage'))
      .finally(() => (reporting = undefined)))
  const timer = setInterval(begin, everyMs)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await reporting
      await begin()
    },
  }
}
