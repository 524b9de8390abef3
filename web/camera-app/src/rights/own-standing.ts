import {
  allRights,
  effectiveRights,
  getMemberDenyReason,
  type Member,
  type Right,
  type Rule,
  sourceOfRight,
} from '@sightline/contract/rights'
import { patchPersonRights } from '@sightline/contract/sub-users'
import { useOwnMember } from '@sightline/shell'
import { useMemo } from 'react'

/** Why somebody changes nothing of users at all, whatever rights they have. */
export type Standstill = 'demo' | 'support' | 'account' | 'scope'

/** What the signed-in user may do, as the evaluator of rights says it. */
export interface OwnStanding {
  readonly userId: number
  readonly isOwner: boolean
  /** Those that hold. */
  readonly rights: ReadonlySet<Right>
  /** Rights that mean nothing in this brand, for nobody. */
  readonly notOffered: ReadonlySet<Right>
  readonly standstill: Standstill | undefined
  /** Whether a call of the contract would be allowed, as far as it names no object. */
  readonly may: (rule: Rule) => boolean
}

const standstills: Readonly<Record<string, Standstill>> = {
  demoUser: 'demo',
  support: 'support',
  account: 'account',
  scope: 'scope',
}

function standingOf(member: Member): OwnStanding {
  const refused = getMemberDenyReason(patchPersonRights, member)
  return {
    userId: member.userId,
    isOwner: member.isSuperUser,
    rights: effectiveRights(member),
    notOffered: new Set(allRights.filter((right) => sourceOfRight(member, right) === 'module')),
    standstill: refused === undefined ? undefined : standstills[refused.check],
    may: (rule) => getMemberDenyReason(rule, member) === undefined,
  }
}

/** How the signed-in user stands, with the ways to ask again where that could not be found out. */
export interface KnownStanding {
  readonly data: OwnStanding | undefined
  readonly error: Error | null
  readonly refetch: () => void
}

export function useOwnStanding(): KnownStanding {
  const { data: member, ...rest } = useOwnMember()
  const data = useMemo(() => (member === undefined ? undefined : standingOf(member)), [member])
  return { ...rest, data }
}
