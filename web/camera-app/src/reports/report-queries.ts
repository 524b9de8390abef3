import type { Client } from '@sightline/client'
import { getReport, getReportFile, getReportSchedules, getReports, type Report } from '@sightline/contract/reports'
import { download, useApplication, useSave } from '@sightline/shell'
import { queryOptions } from '@tanstack/react-query'

const FRESH_MS = 5000

/** The reports of the account and their schedules, each under its path. */
export const reportQueries = (client: Client) => ({
  list: queryOptions({
    queryKey: ['reports'],
    queryFn: ({ signal }) => client.call(getReports, {}, { signal }),
    staleTime: FRESH_MS,
  }),
  one: (reportId: string) =>
    queryOptions({
      queryKey: ['reports', reportId],
      queryFn: ({ signal }) => client.call(getReport, { params: { reportId } }, { signal }),
    }),
  schedules: queryOptions({
    queryKey: ['reportSchedules'],
    queryFn: ({ signal }) => client.call(getReportSchedules, {}, { signal }),
    staleTime: FRESH_MS,
  }),
})

/** Reloads the reports and their schedules. */
export const useAskAgain = () => {
  const { queries } = useApplication()
  return () => {
    void queries.invalidateQueries({ queryKey: ['reports'] })
    void queries.invalidateQueries({ queryKey: ['reportSchedules'] })
  }
}

/** Downloads the file of a report. */
export function useDownload() {
  const { client } = useApplication()
  const save = useSave()
  return async ({ reportId, type, from, till, format }: Report) => {
    const done = await save(() => client.blob(getReportFile, { params: { reportId } }))
    if ('saved' in done) download(done.saved, `${type}-${from}-${till}.${format}`)
  }
}
