import { getDenyReason } from '@sightline/contract/rights'
import { deleteSession } from '@sightline/contract/sessions'
import type { Caller } from '@sightline/platform/sessions'

/**
 * Many people may share a demo user; none of them can see where the others are. This applies to every token, including
 * read-only ones.
 */
export const isShared = (caller: Caller): boolean =>
  getDenyReason(deleteSession, { ...caller, scopes: ['read', 'write'] })?.check === 'demoUser'
