import type { TaggedReply } from '@sightline/client'
import { allRights, type Right, type UserRights as Rights } from '@sightline/contract/rights'
import {
  getPersonRights,
  type ManagedUser,
  patchPersonRights,
  type RightSwitches as RightChanges,
} from '@sightline/contract/sub-users'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { RightSwitches, useSwitches } from '../right-switches/index.ts'
import { fixedRight, ReadOnly, useRightsText } from '../rights/index.ts'
import { BulkRights } from './BulkRights.tsx'
import { personQueries, refetchUser } from './people-queries.ts'
import { Loaded, type Pair, usePair, useReadOnly } from './person-page.tsx'

const READ_ONLY = 'rights-read-only'

const switched = (rights: Rights, changes: RightChanges): Rights => ({
  ...rights,
  ...Object.fromEntries(Object.entries(changes).filter(([, on]) => on !== undefined)),
})

/** Saves each switch when it is pressed. A change takes effect within a second, so there is no Save button. */
function useRightsOf({ userId }: ManagedUser) {
  const { client, queries } = useApplication()
  const { rights } = personQueries(client, userId)
  return useSwitches<Rights, RightChanges>({
    queryKey: rights.queryKey,
    read: () => client.tagged(getPersonRights, { params: { userId } }),
    apply: switched,
    send: (changes, _, headers) => client.tagged(patchPersonRights, { params: { userId }, body: changes }, { headers }),
    onSaved: () => refetchUser(queries, userId),
  })
}

function Switches({ pair, rights }: { pair: Pair; rights: TaggedReply<Rights> }) {
  const t = useRightsText()
  const { person, own } = pair
  const readOnly = useReadOnly(pair)
  const { change, pending } = useRightsOf(person)
  const fixedOf = (right: Right) => {
    const reason = readOnly === undefined ? fixedRight(right, own) : undefined
    return reason === undefined ? undefined : t(reason)
  }
  const underWay = new Set(pending.flatMap((changes) => allRights.filter((right) => changes[right] !== undefined)))
  return (
    <>
      <ReadOnly id={READ_ONLY}>{readOnly}</ReadOnly>
      <BulkRights pair={pair} rights={rights} readOnly={readOnly !== undefined} />
      <RightSwitches
        isOn={(right) => rights.value[right]}
        fixedOf={fixedOf}
        fixedBy={readOnly === undefined ? undefined : READ_ONLY}
        pending={underWay}
        onChange={change}
      />
    </>
  )
}

function RightsOf({ pair }: { pair: Pair }) {
  const { client } = useApplication()
  const query = useQuery(personQueries(client, pair.person.userId).rights)
  return <Loaded query={query}>{(rights) => <Switches pair={pair} rights={rights} />}</Loaded>
}

/** A user's rights, each as a switch. */
export function UserRights() {
  const pair = usePair()
  return pair === undefined ? null : <RightsOf pair={pair} />
}
