import type { Deletion } from '@sightline/contract/account-deletion'
import { getPersonalData, type PersonalDataSummary } from '@sightline/contract/personal-data'
import { Skeleton } from '@sightline/kit'
import { byteSize, Loaded, useApplication, useDay } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { usePersonalDataText } from './text.ts'

function useFootage() {
  const t = usePersonalDataText()
  const { languages } = useApplication()
  const language = languages.current()
  const dayOf = useDay()
  return ({ bytes, oldest }: PersonalDataSummary['footage']): string =>
    bytes === 0 || oldest === null
      ? t('No recordings')
      : t('All recordings: {size}, since {day}', { size: byteSize(bytes, language), day: dayOf(oldest) })
}

/** What the user loses. */
export function Losses({ what }: { what: Deletion['what'] }) {
  const t = usePersonalDataText()
  const { client } = useApplication()
  const footageOf = useFootage()
  const summary = useQuery({
    queryKey: ['users/self/personalData'],
    queryFn: ({ signal }) => client.call(getPersonalData, {}, { signal }),
    gcTime: 0,
  })
  if (what === 'person') {
    return (
      <>
        <ul className="list-disc space-y-1 ps-5">
          <li>{t('Your name, details, rights and settings')}</li>
        </ul>
        <p className="mt-3">
          {t("Your activity stays in the account's audit log, which the account owner is responsible for.")}
        </p>
      </>
    )
  }
  return (
    <Loaded asked={[summary]} place={<Skeleton className="h-24 w-full" />}>
      {({ cameras, subUsers, subscription, footage }) => (
        <ul className="list-disc space-y-1 ps-5">
          <li>{t('{count} cameras', { count: cameras })}</li>
          <li>{footageOf(footage)}</li>
          <li>{t('{count} other users', { count: subUsers })}</li>
          {subscription === null ? null : <li>{t('Your subscription ({name})', { name: subscription })}</li>}
          <li>{t('Everything else in the account, and personal data in its audit log')}</li>
        </ul>
      )}
    </Loaded>
  )
}
