import { type JobState, jobStates } from '@sightline/contract/jobs'
import { parseListState } from '@sightline/shell'

/** The filter of the jobs; undefined means any. */
export interface JobListFilter {
  readonly state: JobState | undefined
  readonly task: string | undefined
}

/** The filter in the address, with the page from 2. */
export interface JobSearch {
  readonly state?: JobState | undefined
  readonly task?: string | undefined
  readonly page?: number | undefined
}

export const everyJob: JobListFilter = { state: undefined, task: undefined }

/** Reads an address that a person may have edited. Invalid values are ignored. */
export const parseJobFilter = ({ state, task }: Readonly<Record<string, unknown>>): JobListFilter => ({
  state: jobStates.find((one) => one === state),
  task: typeof task === 'string' && /^[A-Za-z]{1,64}$/.test(task) ? task : undefined,
})

/** `page` starts at 0. */
export const jobFilterSearch = ({ state, task }: JobListFilter, page = 0): JobSearch => ({
  state,
  task,
  page: page === 0 ? undefined : page + 1,
})

/** The parameters that stay in the address. */
export const searchOfJobs = (search: Record<string, unknown>): JobSearch =>
  jobFilterSearch(parseJobFilter(search), parseListState(search, []).page)
