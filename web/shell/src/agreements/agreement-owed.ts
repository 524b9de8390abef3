import { firstPartyClients } from '@sightline/contract/runtime-config'
import { useQuery } from '@tanstack/react-query'
import { accountQueries } from '../account-queries.ts'
import { useApplication } from '../application.ts'

/**
 * Whether the brand's agreement has to be accepted first, because the server refuses the calls of all screens. On the hosts of a
 * brand that asks it is taken to be owed until the server has told, or could not: the screens say so then, and their asking again
 * does not take them away. Elsewhere nobody waits for that.
 */
export function useAgreementOwed(): boolean {
  const { client, config, name } = useApplication()
  const enabled = firstPartyClients[name].serves === 'members'
  const { data, isLoading, errorUpdateCount } = useQuery({ ...accountQueries(client).flags, enabled })
  return data?.agreementOwed ?? (isLoading && errorUpdateCount === 0 && config.theme.asksForAgreement === true)
}
