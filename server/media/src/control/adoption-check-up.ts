import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@sightline/platform/log'
import type { Limit } from './camera-concurrency.ts'
import { type CheckedCamera, checkUp } from './check-up.ts'
import { unchecked } from './check-up-findings.ts'
import type { CheckUpStore } from './check-up-store.ts'

export interface AdoptionCheckUpDeps {
  readonly checked: CheckedCamera
  readonly checkUps: CheckUpStore
  /** Shared by all cameras: hundreds that were added together aren't checked together. */
  readonly limitChecks: Limit
  readonly isOnline: () => boolean
  readonly log: Logger
  readonly now: () => number
}

/** A camera that was added longer ago is checked on request only. */
const NEW_FOR_MS = 3_600_000
const LOOK_EVERY_MS = 1000
/** Cameras are slow while streams and events begin, and their first pictures come in a burst. */
const SETTLE_MS = 12_000

/** Checks a camera once after it was added, without the wait for motion. Never rejects. */
export async function checkOnAdoption(
  { checked, checkUps, limitChecks, isOnline, log, now }: AdoptionCheckUpDeps,
  signal: AbortSignal,
): Promise<void> {
  const { cameraId, additionStartedAt } = checked.camera
  const isNew = () => now() - additionStartedAt < NEW_FOR_MS
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
  while (!isOnline() && isNew() && !signal.aborted) await wait(LOOK_EVERY_MS)
  if (!isNew()) return
  await wait(SETTLE_MS)
  try {
    await limitChecks(async () => {
      if (signal.aborted || !(await checkUps.isDue())) return
      const findings = await checkUp(checked, signal)
      if (!signal.aborted) await checkUps.save([...findings, unchecked('motionDelay', 'motionSkipped')])
    })
  } catch (err) {
    log.warn({ err, cameraId }, 'could not check a new camera')
  }
}
