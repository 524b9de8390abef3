import { openApi as describe, getOpenApi } from '@sightline/contract/openapi'
import { allRoutes, namedSchemas } from '@sightline/contract/routes'
import { serve } from '@sightline/platform/http'
import { ok } from '@sightline/platform/result'

const API_VERSION = '2.4'

/** The same document for all hosts. Its address is relative, so it repeats no host from the request. */
const describeAll = () =>
  describe({
    routes: allRoutes,
    named: namedSchemas,
    version: API_VERSION,
    server: `/rest/v${API_VERSION}`,
  })

let document: ReturnType<typeof describeAll> | undefined

// Describing all calls takes a quarter of a start, so it waits for the first request.
export const openApi = [
  serve(getOpenApi, async () => {
    document ??= describeAll()
    return ok(document)
  }),
]
