import type { Client } from '@sightline/client'
import { getSupportSessions } from '@sightline/contract/support-sessions'
import { queryOptions } from '@tanstack/react-query'
import { areStatesFollowed, askUnlessFollowed } from '../server-states/followed-states.ts'
import { supportSessionsKey } from './support-session.ts'

const ASK_EVERY_MS = 15_000

/** Who of support is in the account, for its owner. */
export const supportSessionsQuery = (client: Client) =>
  queryOptions({
    queryKey: supportSessionsKey,
    queryFn: ({ signal }) => client.call(getSupportSessions, {}, { signal }),
    refetchInterval: askUnlessFollowed(ASK_EVERY_MS),
    staleTime: () => (areStatesFollowed() ? Number.POSITIVE_INFINITY : 0),
  })
