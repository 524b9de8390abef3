import type { Client } from '@sightline/client'
import { type AccessExplanation, explainOwnAccess } from '@sightline/contract/explanations'
import type { Right } from '@sightline/contract/rights'
import { useApplication } from '@sightline/shell'
import { queryOptions, useQuery } from '@tanstack/react-query'

/** Why somebody changes nothing of users at all, whatever rights they have. */
export type Standstill = 'demo' | 'support' | 'account' | 'scope'

/** What the signed-in user may do, as the server's evaluator says it. */
export interface OwnStanding {
  readonly userId: number
  readonly isOwner: boolean
  /** Those that hold. */
  readonly rights: ReadonlySet<Right>
  /** Rights that mean nothing in this brand, for nobody. */
  readonly notOffered: ReadonlySet<Right>
  readonly standstill: Standstill | undefined
  /** Whether a call of the contract would be allowed, as far as it names no object. */
  readonly may: (operation: string) => boolean
}

const standstillOf: Readonly<Record<string, Standstill>> = {
  demoUser: 'demo',
  support: 'support',
  account: 'account',
  scope: 'scope',
}

function standingOf({ userId, isSuperUser, rights, operations }: AccessExplanation): OwnStanding {
  const allowed = new Set(operations.filter((one) => one.allowed).map(({ operation }) => operation))
  const change = operations.find(({ operation }) => operation === 'patchPersonRights')
  return {
    userId,
    isOwner: isSuperUser,
    rights: new Set(rights.filter(({ holds }) => holds).map(({ right }) => right as Right)),
    notOffered: new Set(rights.filter(({ by }) => by === 'module').map(({ right }) => right as Right)),
    standstill: change?.allowed === false ? standstillOf[change.step.check] : undefined,
    may: (operation) => allowed.has(operation),
  }
}

const FRESH_MS = 5000

const ownStandingQuery = (client: Client) =>
  queryOptions({
    queryKey: ['users/self/explain'],
    queryFn: async ({ signal }): Promise<OwnStanding> => {
      const told = await client.call(explainOwnAccess, {}, { signal })
      if (told.kind !== 'overview') throw new Error('a question about everything was answered about one call')
      return standingOf(told)
    },
    staleTime: FRESH_MS,
  })

export function useOwnStanding() {
  const { client } = useApplication()
  return useQuery(ownStandingQuery(client))
}
