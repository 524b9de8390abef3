import { startDeletions, startErasing, startReportSchedules, startSubscriptionChanges } from '@sightline/api'
import type { AuthPlane } from '@sightline/contract/auth-plane'
import type { BrandSource } from '@sightline/platform/brands'
import { systemClock } from '@sightline/platform/clock'
import { type Db, idSource } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { mailOutbox } from '@sightline/platform/mail'
import { sealing } from '@sightline/platform/sealing'
import type { Lifecycle } from './lifecycle.ts'
import type { Secrets } from './secrets.ts'

interface TimedWorkParts {
  /** Under the role `app`. */
  readonly db: Db
  /** Under the role `eraser`. */
  readonly eraserDb: Db
  readonly auth: Pick<AuthPlane, 'tellOfReport' | 'forgetUser'>
  readonly brands: BrandSource
  readonly secrets: Secrets
  readonly log: Logger
}

/** What is done when its time comes: reports that are due, and what follows subscriptions whose last day has passed, deletions. */
export async function startTimedWork(parts: Lifecycle, given: TimedWorkParts): Promise<void> {
  const { db, auth, brands, secrets, log } = given
  const ids = idSource(db)
  const clock = systemClock
  await parts.start('report schedules', async () => startReportSchedules({ db, ids, now: Date.now, auth, log }))
  const outbox = mailOutbox(sealing(secrets.installationKey), clock)
  await parts.start('subscription changes', async () =>
    startSubscriptionChanges({ db, ids, brands, outbox, clock, log }),
  )
  await parts.start('deletions', async () => startDeletions({ db, ids, brands, outbox, clock, log }))
  await parts.start('erasing', async () => startErasing({ db: given.eraserDb, auth, clock, log }))
}
