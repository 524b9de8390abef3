import { type Application, accountQueries } from '@sightline/shell'

/** Asks for all of it at once, before the screen that shows it has even been loaded; what fails is told by the screen. */
export function prefetchAccount({ client, config, queries }: Application): void {
  const { user, details, rights, flags, timeZone } = accountQueries(client)
  void queries.prefetchQuery(user)
  void queries.prefetchQuery(details)
  void queries.prefetchQuery(rights)
  void queries.prefetchQuery(flags)
  // Refused to whoever has yet to accept the agreement.
  if (config.theme.asksForAgreement !== true) void queries.prefetchQuery(timeZone)
}
