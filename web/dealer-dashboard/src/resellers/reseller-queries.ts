import type { Client } from '@sightline/client'
import { getReseller, getResellerTheme } from '@sightline/contract/resellers'
import { queryOptions } from '@tanstack/react-query'

const FRESH_MS = 5000

export const resellerQuery = (client: Client, resellerId: string) =>
  queryOptions({
    queryKey: ['resellers', resellerId],
    queryFn: ({ signal }) => client.call(getReseller, { params: { resellerId } }, { signal }),
    staleTime: FRESH_MS,
  })

export const themeQuery = (client: Client, resellerId: string) =>
  queryOptions({
    queryKey: ['resellers', resellerId, 'theme'],
    queryFn: ({ signal }) => client.call(getResellerTheme, { params: { resellerId } }, { signal }),
    staleTime: FRESH_MS,
  })
