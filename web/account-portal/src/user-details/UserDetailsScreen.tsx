import { getTimeZone, patchTimeZone } from '@sightline/contract/accounts'
import { getMemberDenyReason, type Rule } from '@sightline/contract/rights'
import { patchUserDetails, type UserDetails } from '@sightline/contract/user-details'
import { patchUser } from '@sightline/contract/users'
import { CardSkeleton, Notice, ScreenTitle, SkeletonGroup } from '@sightline/kit'
import { accountQueries, Loaded, useApplication, usePageTitle } from '@sightline/shell'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useAccount } from '../shell/AccountFirst.tsx'
import { type Text, useText } from '../text.ts'
import { useEditing } from './editing.tsx'
import { PersonalDetailsCard } from './PersonalDetailsCard.tsx'
import { readPersonalDetails } from './personal-details.ts'

// Below the first screen's visible area.
const SignInCard = lazy(() => import('./SignInCard.tsx').then((module) => ({ default: module.SignInCard })))

const place = (
  <SkeletonGroup>
    <CardSkeleton />
  </SkeletonGroup>
)

/** Why this part can't be changed, in one sentence. */
const standstills: Readonly<Record<string, Text>> = {
  demoUser: "You're signed in as a demo user. You can see everything, but you can't change anything.",
  support: "During a support session, you can't change the name, email address or password.",
}
const MANAGED: Text = 'Your details are managed by your provider. To change them, contact support.'

function Cards({ details, timeZone }: { details: UserDetails; timeZone: string }) {
  const t = useText()
  const { user, flags, member } = useAccount()
  const isManaged = flags.preventEditUserDetails
  const may = (rule: Rule) => getMemberDenyReason(rule, member) === undefined
  const readOnly = isManaged || !may(patchUserDetails)
  const mayChangeName = may(patchUser)
  const editing = useEditing()
  const why = standstills[getMemberDenyReason(patchUser, member)?.check ?? ''] ?? (isManaged ? MANAGED : undefined)
  return (
    <div className="space-y-6">
      {why === undefined ? null : <Notice>{t(why)}</Notice>}
      <PersonalDetailsCard
        saved={readPersonalDetails(user, details, timeZone)}
        editing={readOnly ? undefined : editing}
        mayChangeName={mayChangeName}
        mayChangeTimeZone={may(patchTimeZone)}
      />
      {readOnly || !mayChangeName ? null : (
        <Suspense fallback={place}>
          <SignInCard email={user.email} editing={editing} place={place} />
        </Suspense>
      )}
    </div>
  )
}

/** For sub-users who may only change their own details: the time zone belongs to the account. */
const NO_TIME_ZONE = queryOptions({ queryKey: ['no time zone'], queryFn: async () => ({ timeZone: '' }) })

/** Personal details, email address and password of the signed-in user (specification §2). */
export function UserDetailsScreen() {
  const t = useText()
  const { client } = useApplication()
  const { member } = useAccount()
  const { details, timeZone } = accountQueries(client)
  const maySeeTimeZone = getMemberDenyReason(getTimeZone, member) === undefined
  usePageTitle(t('Details'))
  return (
    <div className="max-w-3xl">
      <ScreenTitle title={t('Details')}>{t('Manage your personal details, email address and password.')}</ScreenTitle>
      <Loaded asked={[useQuery(details), useQuery(maySeeTimeZone ? timeZone : NO_TIME_ZONE)]} place={place}>
        {(known, zone) => <Cards details={known} timeZone={zone.timeZone} />}
      </Loaded>
    </div>
  )
}
