import type { QueryClient } from '@tanstack/react-query'

/** What putting a told state needs of the cache. */
export type ToldQueries = Pick<QueryClient, 'cancelQueries' | 'getQueryState' | 'invalidateQueries' | 'setQueryData'>

/**
 * Puts what the server told where screens look for it, in place of a reply that is still on its way and may be older. If that was the
 * first reply and nothing was told of it, it is asked for again: else the screen would never get it. Returns what the screens now have.
 */
export async function putTold<Data>(
  queries: ToldQueries,
  queryKey: readonly unknown[],
  next: (before: Data | undefined) => Data | undefined,
): Promise<Data | undefined> {
  const isAsked = queries.getQueryState(queryKey)?.fetchStatus === 'fetching'
  await queries.cancelQueries({ queryKey, exact: true })
  const told = queries.setQueryData<Data>(queryKey, next as (before: unknown) => Data | undefined)
  if (isAsked && told === undefined) void queries.invalidateQueries({ queryKey, exact: true })
  return told
}
