import { getJobCounts, type Job, type JobCounts, jobStates } from '@sightline/contract/jobs'
import { type ListState, parseListState, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { type JobListFilter, jobFilterSearch, parseJobFilter } from './job-filter.ts'

const REFRESH_MS = 5000

/** The number of jobs, polled. A change also reloads the list. */
export function useJobCounts(): readonly JobCounts[] {
  const { client, queries } = useApplication()
  const { data = [] } = useQuery({
    queryKey: ['jobs', 'counts'],
    queryFn: ({ signal }) => client.call(getJobCounts, {}, { signal }),
    refetchInterval: REFRESH_MS,
  })
  const now = JSON.stringify(data)
  const seen = useRef(now)
  useEffect(() => {
    if (seen.current === now) return
    seen.current = now
    void queries.invalidateQueries({ queryKey: ['jobs', 'list'] })
  }, [now, queries])
  return data
}

/** The number of jobs by state, for the filter's task or states. */
export function totalJobs(counts: readonly JobCounts[], { state, task }: JobListFilter): number {
  const states = state === undefined ? jobStates : [state]
  const numbers = counts
    .filter((one) => task === undefined || one.task === task)
    .flatMap((one) => states.map((name) => one[name]))
  return numbers.reduce((sum, number) => sum + number, 0)
}

/** Filter and page are only in the address, so links and the back button show the same jobs. */
export function useFilterInAddress() {
  const router = useRouter()
  const search = useSearch({ from: '/signed-in/jobs' })
  const filter = useMemo(() => parseJobFilter({ ...search }), [search])
  const { page } = parseListState({ ...search }, [])
  const go = (next: JobListFilter, to: number, replace: boolean) =>
    void router.navigate({ to: '/jobs', search: jobFilterSearch(next, to), replace, resetScroll: false })
  const place = {
    value: { search: '', sort: undefined, page },
    change: (part: Partial<ListState>, how: 'push' | 'replace') => go(filter, part.page ?? page, how === 'replace'),
  }
  return { filter, place, change: (next: JobListFilter) => go(next, 0, true) }
}

export const isAtRest = ({ state }: Job): boolean => state !== 'running'
