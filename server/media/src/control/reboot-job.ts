import { setTimeout as sleep } from 'node:timers/promises'
import type { CameraCommandAnswer } from '@sightline/contract/media-plane'
import { beginJob, endJob, requeueJob, saveProgress } from './job-store.ts'
import type { JobDeps } from './jobs.ts'

/** How long a restart takes (specification §9). */
const RESTART_MS = 120_000
const LOOK_EVERY_MS = 1000
/** A device that still works this long after the request has not restarted. */
const DOWN_WITHIN_MS = 60_000
/** After a restart of this worker: a device that works this long after the request counts as restarted. */
const UNSEEN_MS = 20_000
/** A worker that was started just now has to connect first. */
const CONNECTED_WITHIN_MS = 30_000
/** Progress is stored in steps of this many percent. */
const STEP = 5

const failures: Readonly<Record<Exclude<CameraCommandAnswer['kind'], 'done'>, string>> = {
  noOnvif: "it isn't connected by ONVIF",
  unsupported: "it can't be restarted from here",
  credentialsIncorrect: 'it rejected its user name and password: they need to be those of an administrator',
  rejected: 'it refused to restart',
  cameraOffline: "it doesn't respond",
  timedOut: "it didn't respond in time",
}

const pause = (signal: AbortSignal): Promise<unknown> =>
  sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)

/**
 * Restarts a camera or a recorder. A worker that starts while one restarts continues to watch it and doesn't ask it again: what is
 * restarted twice is away twice as long.
 */
export async function runReboot(deps: JobDeps): Promise<void> {
  const { job, target, db, now, signal } = deps
  const failed = async (why: string) => {
    target.note({ level: 'error', event: 'rebootFailed', detail: why })
    await endJob(db, job.jobId, now(), why)
  }
  const isNew = job.state === 'queued'
  if (!isNew && job.phase === 'Requesting')
    return await failed('the server was restarted while it asked for this: try again')
  const startedAt = job.startedAt ?? now()
  if (isNew) {
    if (!(await beginJob(db, job.jobId, startedAt))) return
    const reply = await ask(deps)
    if (reply === 'notAsked') return await requeueJob(db, job.jobId)
    if (reply !== 'asked') return await failed(failures[reply])
    await saveProgress(db, job.jobId, { phase: 'Restarting', progress: 0 })
    target.note({ level: 'info', event: 'rebootStarted', detail: 'it was asked to restart' })
  }
  const failure = await waitUntilBack(deps, { startedAt, isSeen: isNew })
  if (signal.aborted) return
  if (failure !== undefined) return await failed(failure)
  const seconds = Math.round((now() - startedAt) / 1000)
  target.note({ level: 'info', event: 'rebootFinished', detail: `after ${seconds} seconds` })
  await endJob(db, job.jobId, now())
}

type Failure = keyof typeof failures

/**
 * Many restart without a reply, so silence of one that worked is none. The same if this worker stops meanwhile: the next one watches
 * whether it restarts.
 */
async function ask({ target, now, signal }: JobDeps): Promise<'asked' | 'notAsked' | Failure> {
  const giveUpAt = now() + CONNECTED_WITHIN_MS
  while (!(await target.works())) {
    if (signal.aborted) return 'notAsked'
    if (now() >= giveUpAt) return 'cameraOffline'
    await pause(signal)
  }
  if (signal.aborted) return 'notAsked'
  const { kind } = await target.command({ cameraId: target.id, name: 'reboot', input: null })
  return kind === 'done' || kind === 'timedOut' || kind === 'cameraOffline' ? 'asked' : kind
}

/** Waits until it works again; a sentence if it doesn't. Nothing more is said once the signal aborts. */
async function waitUntilBack(
  { job, target, db, now, signal }: JobDeps,
  { startedAt, isSeen }: { readonly startedAt: number; readonly isSeen: boolean },
): Promise<string | undefined> {
  let wasAway = false
  let saved = 0
  while (!signal.aborted && now() < job.deadline) {
    const works = await target.works()
    const elapsed = now() - startedAt
    if (works && (wasAway || (!isSeen && elapsed > UNSEEN_MS))) return undefined
    if (works && elapsed > DOWN_WITHIN_MS) return 'it accepted the restart, but did not restart'
    wasAway ||= !works
    const progress = Math.min(95, Math.floor(((elapsed / RESTART_MS) * 100) / STEP) * STEP)
    if (progress !== saved) await saveProgress(db, job.jobId, { phase: 'Restarting', progress })
    saved = progress
    await pause(signal)
  }
  return "it didn't come back in time after its restart: check its power and its network"
}
