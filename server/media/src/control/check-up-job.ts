import { setTimeout as sleep } from 'node:timers/promises'
import type { CheckUpFinding } from '@sightline/contract/camera-check-ups'
import { type CheckedCamera, checkUp, MEASURING } from './check-up.ts'
import { motionFinding, unchecked } from './check-up-findings.ts'
import { checkUpStore } from './check-up-store.ts'
import type { CameraDetection } from './detection-keeper.ts'
import { beginJob, endJob, isRunningJob, saveProgress } from './job-store.ts'
import type { JobDeps } from './jobs.ts'
import { type MeasuredMotion, type MotionDelayDeps, measureMotion } from './motion-delay.ts'

/** A camera that is checked on request: motion is waited for. */
export interface MotionChecked extends CheckedCamera {
  readonly motion: Omit<MotionDelayDeps, 'aheadMs' | 'now'> & { readonly isWatched: boolean }
}

interface OpenCamera {
  readonly channel: { readonly checked: CheckedCamera }
  readonly detection: Pick<CameraDetection, 'detections' | 'watchPictures'>
}

/** `serverDetects`: the server can look for motion. Undefined for a camera without a channel. */
export function toMotionChecked(open: OpenCamera | undefined, serverDetects: boolean): MotionChecked | undefined {
  if (open === undefined) return undefined
  const { checked } = open.channel
  const { detections, watchPictures } = open.detection
  const isWatched = detections.settings.video.enabled && (serverDetects || checked.device !== undefined)
  return { ...checked, motion: { isWatched, watchPictures, listen: (heard) => detections.listen(heard) } }
}

/** A worker that was started just now has to connect first. */
const CONNECTED_WITHIN_MS = 30_000
const LOOK_EVERY_MS = 1000
const MOTION_WAIT_MS = 60_000
/** In percent: how far a check is once everything but motion is measured. */
const MEASURED = 50

/**
 * Checks a camera and saves what was found, first without motion, then with it: the person ends the wait by canceling the job. One
 * that a restart of the worker cut off has failed, because it is quickly begun again.
 */
export async function runCheckUp(deps: JobDeps): Promise<void> {
  const { job, target, db, now, signal } = deps
  if (job.state === 'running') return await endJob(db, job.jobId, now(), 'the server was restarted: check again')
  if (!(await beginJob(db, job.jobId, now()))) return
  const checked = await untilConnected(deps)
  if (signal.aborted) return
  if (checked === undefined) return await endJob(db, job.jobId, now(), "the camera doesn't respond")
  const store = checkUpStore(deps, { accountId: job.accountId, cameraId: target.id })
  const findings = await withProgress(deps, { phase: 'Measuring', from: 0, lastsMs: MEASURING.atMostMs }, (early) =>
    checkUp(checked, early),
  )
  if (signal.aborted || findings === undefined) return
  await store.save([...findings, unchecked('motionDelay', 'motionSkipped')])
  const motion = await waitForMotion(deps, checked)
  if (signal.aborted) return
  if (motion !== undefined) await store.save([...findings, motion])
  await endJob(db, job.jobId, now())
}

async function untilConnected({ target, now, signal }: JobDeps): Promise<MotionChecked | undefined> {
  const giveUpAt = now() + CONNECTED_WITHIN_MS
  while (!(await target.works()) || target.checked?.() === undefined) {
    if (signal.aborted || now() >= giveUpAt) return undefined
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
  return target.checked()
}

/** Undefined if the person ended the wait. */
async function waitForMotion(deps: JobDeps, checked: MotionChecked): Promise<CheckUpFinding | undefined> {
  const { motion, device } = checked
  if (!motion.isWatched) return motionFinding({ kind: 'unwatched' })
  const aheadMs = device?.client.clockAheadMs ?? 0
  const measured = await withProgress<MeasuredMotion>(
    deps,
    { phase: 'WaitingForMotion', from: MEASURED, lastsMs: MOTION_WAIT_MS },
    (early) => {
      const over = AbortSignal.any([early, AbortSignal.timeout(MOTION_WAIT_MS)])
      return measureMotion({ ...motion, aheadMs, now: deps.now }, over)
    },
  )
  return measured === undefined ? undefined : motionFinding(measured)
}

interface Stage {
  readonly phase: 'Measuring' | 'WaitingForMotion'
  /** Progress at its begin, in percent. */
  readonly from: number
  readonly lastsMs: number
}

/** Does a part of the job and stores how far it is; undefined if the job was canceled meanwhile. */
async function withProgress<T>(
  { job, db, now, signal }: JobDeps,
  { phase, from, lastsMs }: Stage,
  work: (early: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const canceled = new AbortController()
  const over = new AbortController()
  const startedAt = now()
  const watching = (async () => {
    while (!over.signal.aborted && !signal.aborted) {
      const share = Math.min(1, (now() - startedAt) / lastsMs)
      await saveProgress(db, job.jobId, { phase, progress: Math.floor(from + share * (MEASURED - 1)) })
      if (!(await isRunningJob(db, job.jobId))) return canceled.abort()
      await sleep(LOOK_EVERY_MS, undefined, { signal: over.signal }).catch(() => undefined)
    }
  })()
  try {
    const done = await work(AbortSignal.any([signal, canceled.signal]))
    return canceled.signal.aborted ? undefined : done
  } finally {
    over.abort()
    await watching
  }
}
