import { useQuery } from '@tanstack/react-query'
import { accountQueries } from '../account-queries.ts'
import { useAgreementOwed } from '../agreements/agreement-owed.ts'
import { useApplication } from '../application.ts'

/** How a day is written: in the language shown, by the calendar of the account, as in the mails about it. */
export function useDay(): (time: string | number) => string {
  const { client, languages } = useApplication()
  // Refused to whoever has yet to accept the agreement.
  const enabled = !useAgreementOwed()
  const timeZone = useQuery({ ...accountQueries(client).timeZone, enabled }).data?.timeZone
  // Made only where there is a day to write: the tables of names that it reads take a telephone a tenth of a second.
  return (time) => new Intl.DateTimeFormat(languages.current(), { dateStyle: 'long', timeZone }).format(new Date(time))
}
