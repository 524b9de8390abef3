import { type Application, accountQueries } from '@sightline/shell/start'

/** Asks for all of it at once, before the screen that shows it has even been loaded; what fails is told by the screen. */
export function prefetchAccount({ client, config, queries }: Application): Promise<unknown> {
  const { user, details, rights, flags, timeZone } = accountQueries(client)
  return Promise.all([
    queries.prefetchQuery(user),
    queries.prefetchQuery(details),
    queries.prefetchQuery(rights),
    queries.prefetchQuery(flags),
    // Refused to whoever has yet to accept the agreement.
    config.theme.asksForAgreement === true ? undefined : queries.prefetchQuery(timeZone),
  ])
}
