import { useQuery } from '@tanstack/react-query'
import { accountQueries } from '../account-queries.ts'
import { useAgreementOwed } from '../agreements/agreement-owed.ts'
import { useApplication } from '../application.ts'

/** The format of a day: in the current language and the account's calendar, as in the related emails. */
export function useDay(): (time: string | number) => string {
  const { client, languages } = useApplication()
  // The server rejects this for users who haven't accepted the agreement.
  const enabled = !useAgreementOwed()
  const timeZone = useQuery({ ...accountQueries(client).timeZone, enabled }).data?.timeZone
  // Created only if there is a day to format: loading the tables of names takes a phone a tenth of a second.
  return (time) => new Intl.DateTimeFormat(languages.current(), { dateStyle: 'long', timeZone }).format(new Date(time))
}
