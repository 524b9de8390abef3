import { apiVersions } from '@sightline/contract/wire'

export const NEWEST = 'v2.4' satisfies (typeof apiVersions)[number]

const OLDER = new RegExp(
  `^(/+rest/+)(?:${apiVersions
    .filter((version) => version !== NEWEST)
    .map((version) => version.replace('.', '(?:\\.|%2[eE])'))
    .join('|')})(?=[/?]|$)`,
)

/**
 * The address under the newest version, as the router knows it: all versions are answered alike, and a route for each of them
 * makes every start slower.
 */
export const underNewest = (url: string): string => url.replace(OLDER, `$1${NEWEST}`)
