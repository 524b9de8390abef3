import type { EpochMs } from '../clock/index.ts'
import type { Result } from '../result/index.ts'

/**
 * Every task with the ids that its jobs carry. The table `job_tasks`, filled by migrations, sets which role may enqueue
 * it and how often it is tried.
 */
export interface JobPayloads {
  readonly writeMail: { readonly accountId: number; readonly mailId: number }
  readonly sendMail: { readonly accountId: number; readonly mailId: number }
  readonly forgetMails: NoIds
  readonly sendPush: { readonly accountId: number; readonly pushMessageId: number }
  readonly watchCameras: NoIds
  readonly watchEvents: NoIds
  readonly watchTroubles: NoIds
  readonly writeAlert: { readonly accountId: number; readonly alertMessageId: number }
  readonly findDueReports: NoIds
  readonly makeReport: { readonly accountId: number; readonly reportScheduleId: number; readonly userId: number }
  readonly findDueSubscriptions: NoIds
  readonly applySubscription: { readonly accountId: number }
  readonly dismissFailedAdditions: NoIds
  readonly forgetFormerCameras: NoIds
  readonly writeTransferMail: { readonly accountId: number; readonly cameraTransferId: number }
  readonly dropTransferredCameras: NoIds
  readonly settleCameraPassword: { readonly accountId: number; readonly cameraId: number }
  readonly pruneBodyCameraTracks: NoIds
  readonly downloadBrandPictures: NoIds
  readonly findDueDeletions: NoIds
  readonly carryOutDeletion: { readonly accountId: number; readonly userId: number; readonly resellerId: number }
  readonly makeExport: { readonly accountId: number; readonly exportId: number; readonly userId: number }
  /** The same with text in the pictures, which takes long. */
  readonly makeDerivedExport: { readonly accountId: number; readonly exportId: number; readonly userId: number }
  readonly sweepExports: NoIds
  readonly findErasures: NoIds
  readonly erasePerson: { readonly userId: number }
}

type NoIds = Readonly<Record<string, never>>

export type TaskName = keyof JobPayloads

/** Why a job failed. The reason is shown to administrators, so it contains no name, address or link. */
export interface JobFailure {
  readonly reason: string
  /**
   * `backoff`: retry after a pause that grows from a second to six hours. `never`: another try would fail as well, so
   * an administrator decides. `notBefore`: retry, but not earlier. `postponed`: it didn't run, so this is no attempt.
   */
  readonly retry:
    | { readonly kind: 'backoff' }
    | { readonly kind: 'never' }
    | { readonly kind: 'notBefore' | 'postponed'; readonly at: EpochMs }
}

export type JobOutcome = Result<undefined, JobFailure>

export interface RunningJob {
  readonly jobId: string
  /** This one counted. */
  readonly attempt: number
  /** Aborted when the process stops: long work ends early, and is done by the next try. */
  readonly signal: AbortSignal
}

/** The work of a task. It may run twice: a process can be killed before the job's end is stored. */
export interface JobTask<Name extends TaskName> {
  run(payload: JobPayloads[Name], job: RunningJob): Promise<JobOutcome>
  /** A job of this task is due that often. A failed one is retried the next time and never given up. */
  readonly everyMs?: number
}

export type JobTasks = { readonly [Name in TaskName]?: JobTask<Name> }
