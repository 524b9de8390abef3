import { Card, type Detail, Details, Skeleton } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { zoneLabel } from '@sightline/shell/time-zones'
import { lazy, Suspense } from 'react'
import { useText } from '../text.ts'
import { countryName } from './countries.ts'
import { EditButton, type Editing } from './editing.tsx'
import type { PersonalDetails } from './personal-details.ts'

// Values are viewed more often than changed, so the form loads only when the user is about to open it.
const load = () => import('./PersonalDetailsForm.tsx')
const PersonalDetailsForm = lazy(() => load().then((module) => ({ default: module.PersonalDetailsForm })))

function Values({ firstName, lastName, phone, companyName, country, timeZone }: PersonalDetails) {
  const { languages } = useApplication()
  const t = useText()
  const given = (value: string) => (value === '' ? <span className="text-muted">{t('Not set')}</span> : value)
  const details: readonly Detail[] = [
    { label: t('First name'), value: given(firstName) },
    { label: t('Last name'), value: given(lastName) },
    { label: t('Phone number'), value: <bdi dir="ltr">{given(phone)}</bdi> },
    { label: t('Company'), value: given(companyName) },
    { label: t('Country'), value: given(countryName(country, languages.current())) },
    ...(timeZone === '' ? [] : [{ label: t('Time zone'), value: zoneLabel(timeZone, new Date()) }]),
  ]
  return <Details details={details} />
}

interface PersonalDetailsCardProps {
  saved: PersonalDetails
  /** Undefined if nothing can be changed. */
  editing: Editing | undefined
  mayChangeName: boolean
  mayChangeTimeZone: boolean
}

/** Name, telephone, company, country and time zone (specification §2 "Details screen"). */
export function PersonalDetailsCard({ saved, editing, ...may }: PersonalDetailsCardProps) {
  const t = useText()
  return (
    <Card
      title={t('Personal details')}
      description={t('Your name and how we can reach you.')}
      aside={
        editing === undefined ? undefined : (
          <EditButton
            section="personal"
            editing={editing}
            label={`${t('Edit')}: ${t('Personal details')}`}
            onNear={load}
          >
            {t('Edit')}
          </EditButton>
        )
      }
    >
      {editing?.section === 'personal' ? (
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <PersonalDetailsForm saved={saved} onClose={editing.close} {...may} />
        </Suspense>
      ) : (
        <Values {...saved} />
      )}
    </Card>
  )
}
