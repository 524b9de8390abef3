import { getMemberDenyReason, type Member, type Rule } from '@sightline/contract/rights'
import { toMember } from '@sightline/contract/users'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { accountQueries } from './account-queries.ts'
import { useApplication } from './application.ts'
import { useSupportSession } from './support/support-session.ts'

const FRESH_MS = 5000

/** The signed-in member in the form that authorization uses; undefined until the server has responded. */
export interface OwnMember {
  readonly data: Member | undefined
  readonly error: Error | null
  readonly refetch: () => void
}

/**
 * The data for authorizing the signed-in member. It is loaded again if a screen opens more than a few seconds later.
 */
export function useOwnMember(): OwnMember {
  const { client } = useApplication()
  const { user, rights, flags } = accountQueries(client)
  const support = useSupportSession()
  const asked = [
    useQuery(user),
    useQuery({ ...rights, staleTime: FRESH_MS }),
    useQuery({ ...flags, staleTime: FRESH_MS }),
  ] as const
  const [{ data: who }, { data: which }, { data: what }] = asked
  const data = useMemo(() => {
    if (!(who && which && what)) return undefined
    const member = toMember({ user: who, rights: which, flags: what })
    // The owner can show or hide video during a support session.
    return support === undefined || member.support === undefined
      ? member
      : { ...member, support: { ...member.support, video: support.video } }
  }, [who, which, what, support])
  return {
    data,
    error: data === undefined ? (asked.find(({ error }) => error !== null)?.error ?? null) : null,
    refetch: () => {
      for (const query of asked) void query.refetch()
    },
  }
}

/** Whether the signed-in user may make a call, apart from object checks; undefined until that is known. */
export function useMay(): (rule: Rule) => boolean | undefined {
  const { data: member } = useOwnMember()
  return (rule) => (member === undefined ? undefined : getMemberDenyReason(rule, member) === undefined)
}
