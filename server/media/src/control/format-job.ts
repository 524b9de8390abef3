import { setTimeout as sleep } from 'node:timers/promises'
import type { CameraCard, CameraCommandAnswer } from '@sightline/contract/media-plane'
import { beginJob, endJob, requeueJob, saveProgress } from './job-store.ts'
import type { JobDeps } from './jobs.ts'

const LOOK_EVERY_MS = 2000
/** If a card is reported ready this soon, formatting may not have started. */
const BEGUN_WITHIN_MS = 5000
/** Cards are formatted within minutes; how far they are, cameras don't say. */
const EXPECTED_MS = 120_000
const STEP = 10

const failures: Readonly<Record<Exclude<CameraCommandAnswer['kind'], 'done'>, string>> = {
  noOnvif: "the camera isn't connected by ONVIF",
  unsupported: "the camera's card can't be formatted from here",
  credentialsIncorrect: 'the camera rejected its user name and password: they need to be those of an administrator',
  rejected: 'the camera refused to format its card',
  cameraOffline: "the camera doesn't respond",
  timedOut: "the camera didn't respond in time",
}

const pause = (signal: AbortSignal): Promise<unknown> =>
  sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)

/** Formats a card. A worker that starts while one is formatted continues to watch it and doesn't ask for it again. */
export async function runFormat(deps: JobDeps): Promise<void> {
  const { job, target, db, now, signal } = deps
  const storageId = job.storageId ?? 0
  const failed = (why: string) => endJob(db, job.jobId, now(), why)
  const startedAt = job.startedAt ?? now()
  if (job.state === 'running' && job.phase === 'Requesting')
    return await failed('the server was restarted while it asked for this: look at the card and try again')
  if (job.state === 'queued') {
    if (!(await beginJob(db, job.jobId, startedAt))) return
    const input = { edgeStorageId: storageId }
    const { kind } = await target.command({ cameraId: target.id, name: 'formatEdgeStorage', input })
    // Formatting it twice leaves it as empty as once.
    if (kind !== 'done') return signal.aborted ? await requeueJob(db, job.jobId) : await failed(failures[kind])
    await saveProgress(db, job.jobId, { phase: 'Formatting', progress: 0 })
  }
  const failure = await waitUntilFormatted(deps, { storageId, startedAt })
  if (signal.aborted) return
  if (failure !== undefined) return await failed(failure)
  await endJob(db, job.jobId, now())
}

/** A sentence if it fails. Nothing more is said once the signal aborts. */
async function waitUntilFormatted(
  { job, target, db, now, signal }: JobDeps,
  { storageId, startedAt }: { readonly storageId: number; readonly startedAt: number },
): Promise<string | undefined> {
  let hasBegun = false
  let saved = 0
  while (!signal.aborted && now() < job.deadline) {
    await pause(signal)
    const answer = await target.command({ cameraId: target.id, name: 'readEdgeStorage', input: null })
    if (signal.aborted) return undefined
    const elapsed = now() - startedAt
    const card = answer.kind === 'done' ? answer.output.find((one) => one.edgeStorageId === storageId) : undefined
    hasBegun ||= card?.state === 'formatting'
    const verdict = judge(card, hasBegun || elapsed > BEGUN_WITHIN_MS)
    if (verdict !== undefined) return verdict === 'formatted' ? undefined : verdict
    const progress = Math.min(90, Math.floor(((elapsed / EXPECTED_MS) * 100) / STEP) * STEP)
    if (progress !== saved) await saveProgress(db, job.jobId, { phase: 'Formatting', progress })
    saved = progress
  }
  return 'the camera did not finish formatting its card in time'
}

/** Undefined as long as it may still be formatted; a camera that doesn't answer meanwhile is given time. */
function judge(card: CameraCard | undefined, hasBegun: boolean): string | undefined {
  if (card === undefined || card.state === 'formatting' || !hasBegun) return undefined
  if (card.state === 'missing') return 'the card was taken out'
  if (card.state === 'error' || !card.formatted) return 'the camera could not format its card: replace the card'
  return 'formatted'
}
