import type { ServedRoute } from '../serve.ts'
import { ANY_VERSION } from './api-version.ts'

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
      isLiteral: !path.includes('{'),
    }
  })
  return (path) => {
    const matching = known.filter(({ pattern }) => pattern.test(path))
    const literal = matching.filter(({ isLiteral }) => isLiteral)
    const here = (literal.length > 0 ? literal : matching).flatMap(({ methods }) => methods)
    if (here.length === 0) return undefined
    const head = here.includes('GET') ? ['HEAD'] : []
    return [...new Set<string>([...here, ...head, 'OPTIONS'])].sort()
  }
}
