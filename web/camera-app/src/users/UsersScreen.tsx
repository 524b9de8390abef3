import { addUser, blockPerson, deletePerson, getUsers, type ManagedUser } from '@sightline/contract/sub-users'
import { Avatar, Button, EmptyState, type MenuItem, Skeleton, SkeletonGroup } from '@sightline/kit'
import { type Column, DataTable, FilterMenu, type RowKey, timeWidths } from '@sightline/kit/table'
import { LoadFailed, Screen } from '@sightline/shell'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Gate, type OwnPermissions, ReadOnly, useOwnPermissions, useReadOnlyReason } from '../rights/index.ts'
import { AddPerson } from './AddPerson.tsx'
import { useBulkChanges } from './BulkChanges.tsx'
import { displayName, PersonBadges, PersonState, useMoment } from './person-marks.tsx'
import { useText } from './text.ts'
import { type PendingChange, PersonChanges, personMenu } from './UserActions.tsx'
import { usePeople } from './use-people.ts'

function useColumns(ownId: number): readonly Column<ManagedUser>[] {
  const t = useText()
  const moment = useMoment()
  return [
    {
      key: 'name',
      header: t('Name'),
      sortBy: true,
      cell: (person) => (
        <span className="flex min-w-0 items-center gap-3">
          <Avatar firstName={person.firstName} lastName={person.lastName} />
          <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <span className="truncate">{displayName(person)}</span>
            <PersonBadges person={person} ownId={ownId} />
          </span>
        </span>
      ),
    },
    {
      key: 'email',
      header: t('Email address'),
      sortBy: true,
      cell: (person) => (
        <bdi dir="ltr" className="wrap-anywhere">
          {person.email}
        </bdi>
      ),
    },
    { key: 'state', header: t('Status'), width: '9.75rem', cell: (person) => <PersonState person={person} /> },
    {
      key: 'lastLogin',
      header: t('Last sign-in'),
      sortBy: true,
      minor: true,
      width: timeWidths.minute,
      cell: (person) => (person.lastLogin === null ? '–' : moment(person.lastLogin)),
    },
    {
      key: 'profile',
      header: t('Rights'),
      minor: true,
      width: '7rem',
      cell: (person) => {
        if (person.isSuperUser) return t('All rights')
        return person.permissionProfileName ?? t('Custom')
      },
    },
    {
      key: 'cameras',
      header: t('Cameras'),
      width: '5.75rem',
      align: 'end',
      cell: (person) => (person.allCameras || person.isSuperUser ? t('All') : person.cameras),
    },
  ]
}

function LoadingList() {
  return (
    <SkeletonGroup>
      <Skeleton className="h-64 w-full" />
    </SkeletonGroup>
  )
}

/** Keeps the selection, also across pages. */
function useSelectedPeople(rows: readonly ManagedUser[] | undefined) {
  const [people, setPeople] = useState<ReadonlyMap<RowKey, ManagedUser>>(new Map())
  const onChange = (selected: ReadonlySet<RowKey>) => {
    const known = new Map([...people, ...(rows ?? []).map((person) => [person.userId, person] as const)])
    const next = [...selected].flatMap((key) => {
      const person = known.get(key)
      return person === undefined ? [] : [[key, person] as const]
    })
    setPeople(new Map(next))
  }
  return { people: [...people.values()], selection: { selected: new Set(people.keys()), onChange } }
}

function People({ own }: { own: OwnPermissions }) {
  const t = useText()
  const router = useRouter()
  const { view, blocked, filterBlocked, error, retry } = usePeople()
  const [asked, ask] = useState<PendingChange>()
  const { people, selection } = useSelectedPeople(view.rows)
  const columns = useColumns(own.userId)
  const bulk = useBulkChanges({ people, own, onDone: () => selection.onChange(new Set()) })
  const changesMany = own.may(blockPerson) || own.may(deletePerson)
  const rowMenu = (person: ManagedUser): readonly MenuItem[] => [
    { label: t('Open'), icon: 'user', onSelect: () => void router.navigate({ to: `/users/${person.userId}` }) },
    ...personMenu(person, own, { t, ask }),
  ]
  return (
    <>
      <DataTable
        label={t('Users')}
        columns={columns}
        view={view}
        rowKey={(person) => person.userId}
        rowName={displayName}
        rowHref={(person) => `/app/users/${person.userId}`}
        rowMenu={rowMenu}
        {...(changesMany ? { selection } : {})}
        bulkActions={bulk.buttons}
        searchLabel={t('Search by name or email address')}
        filters={
          <FilterMenu
            label={t('Status')}
            value={blocked}
            onChange={filterBlocked}
            choices={[
              { value: 'false', label: t('Not blocked') },
              { value: 'true', label: t('Blocked') },
            ]}
          />
        }
        empty={<EmptyState icon="users" title={t('No users yet')} />}
        failed={error === null ? undefined : <LoadFailed error={error} reset={retry} />}
      />
      {bulk.dialogs}
      <PersonChanges asked={asked} onClose={() => ask(undefined)} />
    </>
  )
}

/** The other users of the account. */
export function UsersScreen() {
  const t = useText()
  const own = useOwnPermissions()
  const [adding, setAdding] = useState(false)
  const standstill = useReadOnlyReason(own.data)
  return (
    <Screen
      width="table"
      title={t('Users')}
      description={t('People who can use this account, and what each of them can see and do.')}
      actions={
        own.data?.may(addUser) === true ? (
          <Button icon="plus" onClick={() => setAdding(true)}>
            {t('Add user')}
          </Button>
        ) : null
      }
    >
      <Gate own={own} needs={getUsers} loading={<LoadingList />}>
        {(standing) => (
          <>
            <ReadOnly id="users-read-only">{standstill}</ReadOnly>
            <People own={standing} />
            {adding ? <AddPerson own={standing} onClose={() => setAdding(false)} /> : null}
          </>
        )}
      </Gate>
    </Screen>
  )
}
