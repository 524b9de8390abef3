import { getDenyReason } from '@sightline/contract/rights'
import { deleteSession } from '@sightline/contract/sessions'
import type { Caller } from '@sightline/platform/sessions'

/**
 * Many people may share a demonstration user; none of them is told where the others are. Whatever the token may be used
 * for: one to read with is as shared as any other.
 */
export const isShared = (caller: Caller): boolean =>
  getDenyReason(deleteSession, { ...caller, scopes: ['read', 'write'] })?.check === 'demoUser'
