export { enqueue, type NewJob } from './enqueue.ts'
export { type JobFigures, readJobFigures } from './jobs-store.ts'
export type { JobFailure, JobOutcome, JobPayloads, JobTask, JobTasks, RunningJob, TaskName } from './tasks.ts'
export { type JobLane, type JobWorkerSettings, startJobWorker } from './worker.ts'
