import { patchTimeZone } from '@sightline/contract/accounts'
import { denialOfMember, type Member, type Rule } from '@sightline/contract/rights'
import { patchUserDetails, type UserDetails } from '@sightline/contract/user-details'
import { patchUser, type UserBase } from '@sightline/contract/users'
import { Card, Notice, ScreenTitle, Skeleton, SkeletonGroup } from '@sightline/kit'
import {
  accountQueries,
  LoadFailed,
  type OwnMember,
  useApplication,
  useOwnMember,
  usePageTitle,
} from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { type Text, useText } from '../text.ts'
import { PersonalDetailsCard } from './PersonalDetailsCard.tsx'
import { personalDetailsOf } from './personal-details.ts'

// Below what a first screen shows.
const SignInCards = lazy(() => import('./SignInCards.tsx').then((module) => ({ default: module.SignInCards })))

function SoonCard() {
  return (
    <SkeletonGroup>
      <Card>
        <Skeleton className="h-5 w-40" />
        <Skeleton className="mt-6 h-10 w-full" />
      </Card>
    </SkeletonGroup>
  )
}

function useAccount() {
  const { client } = useApplication()
  const { user, details, flags, timeZone } = accountQueries(client)
  return [useQuery(user), useQuery(details), useQuery(flags), useQuery(timeZone)] as const
}

function LoadingCards() {
  return (
    <SkeletonGroup>
      <Card>
        <Skeleton className="h-5 w-40" />
        <Skeleton className="mt-2 h-4 w-64 max-w-full" />
        <div className="mt-6 grid gap-x-5 gap-y-6 sm:grid-cols-2">
          {['first', 'last', 'telephone', 'company', 'country', 'zone'].map((field) => (
            <div key={field}>
              <Skeleton className="h-4 w-24" />
              <Skeleton className="mt-2 h-10 w-full" />
            </div>
          ))}
        </div>
      </Card>
    </SkeletonGroup>
  )
}

/** Why something of this page cannot be changed, in one sentence. */
const standstills: Readonly<Record<string, Text>> = {
  demoUser: 'This is a demonstration user: everything can be seen, nothing can be changed.',
  support: 'In a support session name, email address and password can be seen, not changed.',
}
const MANAGED: Text = 'Your details are managed by your provider. To change them, contact support.'

interface Known {
  user: UserBase
  details: UserDetails
  timeZone: string
  isManaged: boolean
  member: Member
}

function KnownCards({ user, details, timeZone, isManaged, member }: Known) {
  const t = useText()
  const may = (rule: Rule) => denialOfMember(rule, member) === undefined
  const readOnly = isManaged || !may(patchUserDetails)
  const mayChangeName = may(patchUser)
  const why = standstills[denialOfMember(patchUser, member)?.check ?? ''] ?? (isManaged ? MANAGED : undefined)
  return (
    <div className="space-y-6">
      {why === undefined ? null : <Notice>{t(why)}</Notice>}
      <PersonalDetailsCard
        saved={personalDetailsOf(user, details, timeZone)}
        readOnly={readOnly}
        mayChangeName={mayChangeName}
        mayChangeTimeZone={may(patchTimeZone)}
      />
      {readOnly || !mayChangeName ? null : (
        <Suspense fallback={<SoonCard />}>
          <SignInCards email={user.email} />
        </Suspense>
      )}
    </div>
  )
}

function Cards({ account, own }: { account: ReturnType<typeof useAccount>; own: OwnMember }) {
  const [user, details, flags, timeZone] = account
  const failed = account.find((query) => query.isError && query.data === undefined)?.error ?? own.error
  if (failed !== null) {
    const again = () => {
      for (const query of account) if (query.isError) void query.refetch()
      if (own.error !== null) own.refetch()
    }
    return <LoadFailed error={failed} reset={again} />
  }
  if (!(user.data && details.data && flags.data && timeZone.data && own.data)) return <LoadingCards />
  return (
    <KnownCards
      user={user.data}
      details={details.data}
      timeZone={timeZone.data.timeZone}
      isManaged={flags.data.preventEditUserDetails}
      member={own.data}
    />
  )
}

/** Personal details, email address and password of the signed-in user (specification §2). */
export function UserDetailsScreen() {
  const t = useText()
  usePageTitle(t('Details'))
  return (
    <div className="max-w-3xl">
      <ScreenTitle title={t('Details')}>{t('Your personal details and how you sign in.')}</ScreenTitle>
      <Cards account={useAccount()} own={useOwnMember()} />
    </div>
  )
}
