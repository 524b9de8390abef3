import { type Application, accountQueries } from '@sightline/shell/start'

/** Requests all data at once, even before the code of the screen is loaded. The screen reports errors. */
export function prefetchAccount({ client, config, queries }: Application): Promise<unknown> {
  const { user, details, rights, flags, timeZone } = accountQueries(client)
  return Promise.all([
    queries.prefetchQuery(user),
    queries.prefetchQuery(details),
    queries.prefetchQuery(rights),
    queries.prefetchQuery(flags),
    // The server rejects this for users who haven't accepted the agreement.
    config.theme.asksForAgreement === true ? undefined : queries.prefetchQuery(timeZone),
  ])
}
