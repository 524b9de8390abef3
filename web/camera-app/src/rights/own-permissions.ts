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

/** Why a user can't change any users, regardless of their rights. */
export type ReadOnlyReason = 'demo' | 'support' | 'account' | 'scope'

/** The signed-in user's permissions, according to the authorization rules. */
export interface OwnPermissions {
  readonly userId: number
  readonly isOwner: boolean
  /** Rights that the user has. */
  readonly rights: ReadonlySet<Right>
  /** Rights without effect in this brand, for all users. */
  readonly notOffered: ReadonlySet<Right>
  readonly standstill: ReadOnlyReason | undefined
  /** Whether a call of the contract would be allowed, apart from object checks. */
  readonly may: (rule: Rule) => boolean
}

const standstills: Readonly<Record<string, ReadOnlyReason>> = {
  demoUser: 'demo',
  support: 'support',
  account: 'account',
  scope: 'scope',
}

function standingOf(member: Member): OwnPermissions {
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

/** The signed-in user's permissions, or the failed request with a way to try again. */
export interface PermissionsQuery {
  readonly data: OwnPermissions | undefined
  readonly error: Error | null
  readonly refetch: () => void
}

export function useOwnPermissions(): PermissionsQuery {
  const { data: member, ...rest } = useOwnMember()
  const data = useMemo(() => (member === undefined ? undefined : standingOf(member)), [member])
  return { ...rest, data }
}
