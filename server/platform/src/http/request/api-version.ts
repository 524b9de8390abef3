import { apiVersions, newestApiVersion } from '@sightline/contract/wire'

const inAddress = (version: string): string => version.replace('.', '(?:\\.|%2[eE])')

/** One of the versions as an address may have it, with its dot escaped or not. */
export const ANY_VERSION = apiVersions.map(inAddress).join('|')
const OLDER_VERSION = apiVersions
  .filter((version) => version !== newestApiVersion)
  .map(inAddress)
  .join('|')
const OLDER = new RegExp(`^(/+rest/+)(?:${OLDER_VERSION})(?=[/?]|$)`)
/** What most calls begin with. */
const NEWEST = `/rest/${newestApiVersion}/`
const ASKED = new RegExp(`^/+rest/+(${ANY_VERSION})(?=[/?]|$)`)

/**
 * The address under the newest version, for the router: all versions get the same response, and a route for each slows
 * every start.
 */
export const underNewest = (url: string): string =>
  url.startsWith(NEWEST) ? url : url.replace(OLDER, `$1${newestApiVersion}`)

/** The version that an address of a call names. */
export const getRequestedVersion = (url: string): string => decodeURIComponent(ASKED.exec(url)?.[1] ?? newestApiVersion)
