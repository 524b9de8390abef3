import { dropCookie, readCookie, writeCookie } from '@sightline/client'

const NAME = 'statistics'
const YEAR_S = 365 * 24 * 3600
const scope = () => ({ path: '/', secure: window.location.protocol === 'https:' })
const listeners = new Set<() => void>()

/** Whether the user allowed statistics in this browser within the last year and didn't withdraw it. */
export const allowsStatistics = (): boolean => readCookie(document, NAME) === 'allowed'

export function allowStatistics(allowed: boolean): void {
  if (allowed) writeCookie(document, { name: NAME, value: 'allowed', maxAge: YEAR_S, ...scope() })
  else dropCookie(document, NAME, scope())
  for (const told of listeners) told()
}

/** Called after each answer on this page. */
export function whenAnswered(told: () => void): () => void {
  listeners.add(told)
  return () => listeners.delete(told)
}
