import type { ServedRoute } from '../serve.ts'
import { ANY_VERSION } from './api-version.ts'

/** Whether the reply has no end of its own. */
export const isEndless = ({ media }: Pick<ServedRoute['route'], 'media'>): boolean =>
  media?.includes('text/event-stream') === true

/**
 * The methods of a path, in the order of an Allow header; undefined for an unknown path. `users/self` takes precedence
 * over `users/{userId}`.
 */
export function allowedMethods(served: readonly ServedRoute[]): (path: string) => readonly string[] | undefined {
  const known = Object.entries(Object.groupBy(served, ({ route }) => route.path)).map(([path, at = []]) => {
    const below = path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')
    return {
      pattern: new RegExp(`^/+rest/+(?:${ANY_VERSION})/+${below}/?$`),
      methods: at.map(({ route }) => route.method),
      hasHead: at.some(({ route }) => route.method === 'GET' && !isEndless(route)),
      isLiteral: !path.includes('{'),
    }
  })
  return (path) => {
    const matching = known.filter(({ pattern }) => pattern.test(path))
    const literal = matching.filter(({ isLiteral }) => isLiteral)
    const those = literal.length > 0 ? literal : matching
    const here = those.flatMap(({ methods }) => methods)
    if (here.length === 0) return undefined
    const head = those.some(({ hasHead }) => hasHead) ? ['HEAD'] : []
    return [...new Set<string>([...here, ...head, 'OPTIONS'])].sort()
  }
}
