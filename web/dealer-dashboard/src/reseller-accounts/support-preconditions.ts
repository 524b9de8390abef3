import type { Account } from '@sightline/contract/reseller-accounts'
import type { Reseller } from '@sightline/contract/resellers'
import type { Text } from '../text.ts'
import { grantEnd } from './account-marks.tsx'

export interface Precondition {
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
export const supportPreconditions = ({ account, modules, mayGenerate, now }: Asked): readonly Precondition[] => [
  { what: 'You have permission to start support sessions', holds: mayGenerate },
  { what: 'The reseller has the Support sessions module', holds: modules.generateAccessToken },
  { what: "The account isn't suspended", holds: account.status !== 'suspended' },
  { what: 'The owner allows support access', holds: grantEnd(account, now) !== undefined },
]
