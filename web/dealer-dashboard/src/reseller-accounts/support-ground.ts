import type { Account } from '@sightline/contract/reseller-accounts'
import type { Reseller } from '@sightline/contract/resellers'
import type { Text } from '../text.ts'
import { grantEnd } from './account-marks.tsx'

export interface Ground {
  readonly what: Text
  readonly holds: boolean
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
export const supportGround = ({ account, modules, mayGenerate, now }: Asked): readonly Ground[] => [
  { what: 'You have the permission to open accounts as support', holds: mayGenerate },
  { what: 'The brand of the reseller has the module for it', holds: modules.generateAccessToken },
  { what: 'The account is not suspended', holds: account.status !== 'suspended' },
  { what: 'The owner has opened the account to support', holds: grantEnd(account, now) !== undefined },
]
