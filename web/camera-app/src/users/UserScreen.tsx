import { ApiFailure } from '@sightline/client'
import { getPerson, type ManagedUser } from '@sightline/contract/sub-users'
import { buttonClass, EmptyState, Menu, Skeleton, SkeletonGroup, Tabs } from '@sightline/kit'
import { LoadFailed, Screen, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams, useRouter, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { Gate, type OwnPermissions, useOwnPermissions } from '../rights/index.ts'
import { personQueries } from './people-queries.ts'
import { displayName, PersonBadges, PersonState } from './person-marks.tsx'
import { type Text, useText } from './text.ts'
import { type PendingChange, PersonChanges, personMenu } from './UserActions.tsx'

const pages: readonly { path: string; label: Text }[] = [
  { path: 'details', label: 'Details' },
  { path: 'rights', label: 'Rights' },
  { path: 'cameras', label: 'Cameras and zones' },
  { path: 'why', label: 'Access check' },
]

const isUserId = (text: string): boolean => /^[0-9]{1,15}$/.test(text)

/** The user in the address, for each tab. */
export function useUserId(): number {
  const { userId } = useParams({ from: '/signed-in/users/$userId' })
  return isUserId(userId) ? Number(userId) : 0
}

function NoSuchUser() {
  const t = useText()
  return (
    <EmptyState
      icon="user"
      title={t('User not found')}
      action={
        <a data-here href="/app/users" className={buttonClass()}>
          {t('All users')}
        </a>
      }
    >
      {t('This user may have been deleted.')}
    </EmptyState>
  )
}

function Loading() {
  return (
    <SkeletonGroup>
      <Skeleton className="mb-6 h-11 w-full" />
      <Skeleton className="h-64 w-full" />
    </SkeletonGroup>
  )
}

function Known({ person, own, userId }: { person: ManagedUser; own: OwnPermissions; userId: number }) {
  const t = useText()
  const router = useRouter()
  const [asked, ask] = useState<PendingChange>()
  const menu = personMenu(person, own, { t, ask })
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const tabs = pages.map(({ path, label }) => ({
    href: `/app/users/${userId}/${path}`,
    label: t(label),
    current: pathname === `/users/${userId}/${path}`,
  }))
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <bdi dir="ltr" className="text-muted wrap-anywhere">
          {person.email}
        </bdi>
        <PersonState person={person} />
        <PersonBadges person={person} ownId={own.userId} />
        {menu.length === 0 ? null : (
          <span className="ms-auto">
            <Menu
              label={t('Actions for {name}', { name: displayName(person) })}
              trigger={t('Actions')}
              triggerClass="control inline-flex items-center border border-outline bg-surface px-4 font-medium hover:bg-sunken"
              items={menu}
            />
          </span>
        )}
      </div>
      <Tabs label={displayName(person)} tabs={tabs} />
      <Outlet />
      <PersonChanges
        asked={asked}
        onClose={() => ask(undefined)}
        onDeleted={() => void router.navigate({ to: '/users' })}
      />
    </>
  )
}

function Found({ own, userId }: { own: OwnPermissions; userId: number }) {
  const { client } = useApplication()
  const { data: person, error, refetch } = useQuery({ ...personQueries(client, userId).person, enabled: userId > 0 })
  const isMissing = userId === 0 || (error instanceof ApiFailure && error.code === 4)
  if (isMissing) return <NoSuchUser />
  if (person !== undefined) return <Known person={person} own={own} userId={userId} />
  return error === null ? <Loading /> : <LoadFailed error={error} reset={() => void refetch()} />
}

/** The tabs of one user. */
export function UserScreen() {
  const { client } = useApplication()
  const t = useText()
  const userId = useUserId()
  const own = useOwnPermissions()
  const mayLook = own.data?.may(getPerson) === true && userId > 0
  const { data: person } = useQuery({ ...personQueries(client, userId).person, enabled: mayLook })
  return (
    <Screen
      width="form"
      title={person === undefined ? t('User') : displayName(person)}
      back={{ href: '/app/users', label: t('All users') }}
    >
      <Gate own={own} needs={getPerson} loading={<Loading />}>
        {(standing) => <Found own={standing} userId={userId} />}
      </Gate>
    </Screen>
  )
}
