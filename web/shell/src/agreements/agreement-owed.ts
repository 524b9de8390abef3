import { firstPartyClients } from '@sightline/contract/runtime-config'
import { useQuery } from '@tanstack/react-query'
import { accountQueries } from '../account-queries.ts'
import { useApplication } from '../application.ts'

/**
 * Whether the user must accept the brand's agreement first; until then, the server rejects the calls of all screens. On
 * hosts of a brand that requires it, the answer is yes until the server responds or fails. After a failure, the screens
 * show the error, and their retries don't unmount them. On other hosts, screens don't wait.
 */
export function useAgreementOwed(): boolean {
  const { client, config, name } = useApplication()
  const enabled = firstPartyClients[name].serves === 'members'
  const { data, isLoading, errorUpdateCount } = useQuery({ ...accountQueries(client).flags, enabled })
  return data?.agreementOwed ?? (isLoading && errorUpdateCount === 0 && config.theme.asksForAgreement === true)
}
