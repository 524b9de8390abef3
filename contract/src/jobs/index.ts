import * as z from 'zod/mini'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'

/** The tasks of jobs, in menu order. */
export const jobTasks = [
  'writeMail',
  'sendMail',
  'forgetMails',
  'sendPush',
  'watchCameras',
  'watchEvents',
  'watchTroubles',
  'writeAlert',
  'findDueReports',
  'makeReport',
  'findDueSubscriptions',
  'applySubscription',
  'dismissFailedAdditions',
  'forgetFormerCameras',
  'writeTransferMail',
  'dropTransferredCameras',
  'settleCameraPassword',
  'pruneBodyCameraTracks',
  'downloadBrandPictures',
  'findDueDeletions',
  'carryOutDeletion',
  'makeExport',
  'makeDerivedExport',
  'sweepExports',
  'findErasures',
  'erasePerson',
] as const
export type JobTaskName = (typeof jobTasks)[number]

/** `retrying`: failed and will be retried. `failed`: failed permanently and waits for an administrator. */
export const jobStates = ['waiting', 'running', 'retrying', 'failed'] as const
export const jobState = z.enum(jobStates)
export type JobState = z.infer<typeof jobState>

/** A background job of the server (docs/guide/jobs.md). */
export const job = z.object({
  jobId: id,
  /** One of `jobTasks`, or one of a newer or older version. */
  task: z.string(),
  state: jobState,
  /** A recurring job. */
  recurring: z.boolean(),
  /** The objects of the job: ids by name, never texts. */
  payload: z.record(z.string(), z.int()),
  attempts: z.int(),
  maxAttempts: z.int(),
  createdAt: dateTime,
  /** The next attempt; null while it runs and after it failed permanently. */
  nextRunAt: z.nullable(dateTime),
  /** Why the last attempt failed: without names, addresses and links. */
  lastError: z.nullable(z.string()),
})
export type Job = z.infer<typeof job>

/** The number of jobs of a task in each state. */
export const jobCounts = z.object({
  task: z.string(),
  waiting: z.int(),
  running: z.int(),
  retrying: z.int(),
  failed: z.int(),
})
export type JobCounts = z.infer<typeof jobCounts>

const administering = { access: 'object', callers: 'staff', level: 'admin', apiKey: 'no', support: 'no' } as const
const ofJob = { 'params.jobId': 'job' } as const
const jobParams = z.object({ jobId: idText })

export const getJobs = route({
  name: 'getJobs',
  summary: 'List jobs that are waiting, running, retrying or failed, newest first',
  method: 'GET',
  path: 'jobs',
  ...administering,
  access: 'tenant',
  query: z.object({
    state: z.optional(jobState),
    task: z.optional(z.string().check(z.regex(/^[A-Za-z]{1,64}$/, 'must be a task name of 1 to 64 letters'))),
  }),
  reply: z.array(job),
  list: { key: 'jobId', sort: ['-createdAt'], defaultLimit: 100, pagedBy: 'store' },
  errors: ['validation'],
})

export const getJobCounts = route({
  name: 'getJobCounts',
  summary: 'Count waiting, running, retrying and failed jobs per task',
  method: 'GET',
  path: 'jobs/counts',
  ...administering,
  access: 'tenant',
  reply: z.array(jobCounts),
  list: { key: 'task', sort: ['task'], defaultLimit: 'all' },
  errors: [],
})

export const retryJob = route({
  name: 'retryJob',
  summary: 'Run a job now and reset its attempts; not possible while the job is running',
  method: 'POST',
  path: 'jobs/{jobId}/retry',
  ...administering,
  ids: ofJob,
  params: jobParams,
  reply: job,
  errors: ['notFound', 'businessRule'],
})

export const discardJob = route({
  name: 'discardJob',
  summary: 'Discard a job without running it; not possible while the job is running',
  method: 'DELETE',
  path: 'jobs/{jobId}',
  ...administering,
  ids: ofJob,
  params: jobParams,
  reply: nothing,
  status: 204,
  errors: ['notFound', 'businessRule'],
})
