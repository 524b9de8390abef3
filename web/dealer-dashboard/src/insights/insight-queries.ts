import type { Client } from '@sightline/client'
import { getInsights, type Insights } from '@sightline/contract/insights'
import { queryOptions, useQueries } from '@tanstack/react-query'

export const periods = ['day', 'week', 'month', 'year'] as const
export type Period = (typeof periods)[number]

const FRESH_MS = 30_000

export type InsightsByPeriod = Readonly<Record<Period, Insights>>

export const insightsQuery = (client: Client, resellerId: string, period: Period) =>
  queryOptions({
    queryKey: ['resellers', resellerId, 'insights', period],
    queryFn: ({ signal }) => client.call(getInsights, { params: { resellerId }, query: { period } }, { signal }),
    staleTime: FRESH_MS,
  })

/** The counts of all periods, requested together. */
export function useInsights(client: Client, resellerId: string) {
  return useQueries({
    queries: periods.map((period) => insightsQuery(client, resellerId, period)),
    combine: (results) => {
      const [day, week, month, year] = results.map(({ data }) => data)
      const data: InsightsByPeriod | undefined =
        day === undefined || week === undefined || month === undefined || year === undefined
          ? undefined
          : { day, week, month, year }
      return {
        data,
        error: results.find(({ error }) => error !== null)?.error ?? null,
        refetch: () => Promise.all(results.map(({ refetch }) => refetch())),
      }
    },
  })
}
