import type { Client } from '@sightline/client'
import { accountQueries } from '@sightline/shell'
import type { QueryClient } from '@tanstack/react-query'

/** Asks for all of it at once, before the screen that shows it has even been loaded; what fails is told by the screen. */
export function prefetchAccount(client: Client, queries: QueryClient): void {
  const { user, details, rights, flags, timeZone } = accountQueries(client)
  void queries.prefetchQuery(user)
  void queries.prefetchQuery(details)
  void queries.prefetchQuery(rights)
  void queries.prefetchQuery(flags)
  void queries.prefetchQuery(timeZone)
}
