import type { Account } from '@sightline/contract/reseller-accounts'
import type { Reseller } from '@sightline/contract/resellers'
import type { Text } from '../text.ts'
import { grantEnd } from './account-marks.tsx'

export interface Precondition {
  readonly what: Text
  readonly holds: boolean
}

/**
 * Whether support can see video. Undefined if no support session can show any: without the owner's grant, or in a
 * suspended account.
 */
export function videoText(account: Asked['account'], now: number): Text | undefined {
  if (account.status === 'suspended' || grantEnd(account, now) === undefined) return undefined
  return account.allowsHelpdeskShowVideo
    ? 'Video is visible'
    : "Video is hidden: snapshots are blurred and video doesn't play"
}

interface Asked {
  readonly account: Pick<Account, 'status' | 'allowsHelpdeskExpirationDate' | 'allowsHelpdeskShowVideo'>
  readonly modules: Reseller['modules']
  readonly mayGenerate: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * The preconditions of a support session (product.md "Support sessions"), in the order in which the server checks them.
 */
export const supportPreconditions = ({ account, modules, mayGenerate, now }: Asked): readonly Precondition[] => [
  { what: 'You have permission to start support sessions', holds: mayGenerate },
  { what: 'The reseller has the Support sessions module', holds: modules.generateAccessToken },
  { what: "The account isn't suspended", holds: account.status !== 'suspended' },
  { what: 'The owner allows support access', holds: grantEnd(account, now) !== undefined },
]
