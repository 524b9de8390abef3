import { type Application, accountQueries } from '@sightline/shell/start'
import { cameraQueries } from './cameras/camera-queries.ts'

/** Requests the data of the first screen while the rendering code still loads. The screen reports errors. */
export function prepareFirstScreen({ client, config, queries }: Application): Promise<unknown> {
  const { user, rights, flags, details } = accountQueries(client)
  const { list, statuses } = cameraQueries(client)
  // The server rejects calls about cameras for users who haven't accepted the agreement.
  const isList = config.theme.asksForAgreement !== true && /^\/app\/?$/.test(window.location.pathname)
  return Promise.all([
    queries.prefetchQuery(user),
    queries.prefetchQuery(rights),
    queries.prefetchQuery(flags),
    queries.prefetchQuery(details),
    ...(isList ? [queries.prefetchQuery(list), queries.prefetchQuery(statuses)] : []),
  ])
}
