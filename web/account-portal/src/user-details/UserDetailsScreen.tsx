import { Card, Notice, ScreenTitle, Skeleton, SkeletonGroup } from '@sightline/kit'
import { accountQueries, LoadFailed, useApplication, usePageTitle } from '@sightline/shell'
import { useQueries } from '@tanstack/react-query'
import { type Text, useText } from '../text.ts'
import { ChangeEmailCard } from './ChangeEmailCard.tsx'
import { ChangePasswordCard } from './ChangePasswordCard.tsx'
import { PersonalDetailsCard } from './PersonalDetailsCard.tsx'
import { personalDetailsOf } from './personal-details.ts'

function useAccount() {
  const { client } = useApplication()
  const { user, details, rights, flags, timeZone } = accountQueries(client)
  return useQueries({ queries: [user, details, rights, flags, timeZone] })
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

function Cards({ account }: { account: ReturnType<typeof useAccount> }) {
  const t = useText()
  const [user, details, rights, flags, timeZone] = account
  const failed = account.find((query) => query.isError && query.data === undefined)
  if (failed !== undefined) {
    const again = () => {
      for (const query of account) if (query.isError) void query.refetch()
    }
    return <LoadFailed error={failed.error} reset={again} />
  }
  if (!(user.data && details.data && rights.data && flags.data && timeZone.data)) return <LoadingCards />

  const isOwner = user.data.userId === user.data.accountId
  const readOnly = flags.data.preventEditUserDetails || rights.data.demoUser
  const why: Text = rights.data.demoUser
    ? 'This is a demonstration user: everything can be seen, nothing can be changed.'
    : 'Your details are managed by your provider. To change them, contact support.'
  return (
    <div className="space-y-6">
      {readOnly ? <Notice>{t(why)}</Notice> : null}
      <PersonalDetailsCard
        saved={personalDetailsOf(user.data, details.data, timeZone.data.timeZone)}
        readOnly={readOnly}
        mayChangeTimeZone={isOwner || rights.data.userSettings}
      />
      {readOnly ? null : (
        <>
          <ChangeEmailCard current={user.data.email} />
          <ChangePasswordCard email={user.data.email} />
        </>
      )}
    </div>
  )
}

/** Personal details, email address and password of the signed-in user (specification §2). */
export function UserDetailsScreen() {
  const t = useText()
  usePageTitle(t('Details'))
  return (
    <div className="max-w-3xl">
      <ScreenTitle title={t('Details')}>{t('Your personal details and how you sign in.')}</ScreenTitle>
      <Cards account={useAccount()} />
    </div>
  )
}
