import { allPermissions } from '@sightline/contract/rights'
import type { StaffUser } from '@sightline/contract/staff'
import { Avatar, Badge, Button, EmptyState } from '@sightline/kit'
import { type Column, DataTable, type DataTableProps } from '@sightline/kit/table'
import { LoadFailed, Screen, useApplication, useServerRows } from '@sightline/shell'
import { type ReactNode, useState } from 'react'
import { Gate } from '../shell/Gate.tsx'
import { useListInAddress } from '../shell/list-in-address.ts'
import { type Text, useText } from '../text.ts'
import { AddStaff } from './AddStaff.tsx'
import { type StaffOrganisation, staffCalls } from './staff-calls.ts'
import { staffInAddress } from './staff-list-state.ts'

export const staffName = ({ firstName, lastName }: StaffUser) => `${firstName} ${lastName}`

function BlockedBadge({ person }: { person: StaffUser }) {
  const t = useText()
  return person.blocked ? <Badge mood="danger">{t('Blocked')}</Badge> : null
}

function usePhoneColumns(): DataTableProps<StaffUser>['phoneColumns'] {
  const t = useText()
  return [
    { key: 'lastName', header: t('Name'), cell: staffName },
    { key: 'blocked', header: t('Status'), cell: (person) => <BlockedBadge person={person} /> },
    { key: 'email', header: t('Email address'), cell: ({ email }) => <bdi dir="ltr">{email}</bdi> },
  ]
}

function useColumns(): readonly Column<StaffUser>[] {
  const t = useText()
  return [
    {
      key: 'lastName',
      header: t('Name'),
      sortBy: true,
      width: '32%',
      cell: (person) => (
        <span className="flex min-w-0 items-center gap-3">
          <Avatar firstName={person.firstName} lastName={person.lastName} />
          <span className="truncate">{staffName(person)}</span>
          <BlockedBadge person={person} />
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
    {
      key: 'permissions',
      header: t('Permissions'),
      width: '9rem',
      cell: ({ permissions }) =>
        t('{used} of {most}', {
          used: allPermissions.filter((permission) => permissions[permission]).length,
          most: allPermissions.length,
        }),
    },
    {
      key: 'accounts',
      header: t('Accounts'),
      width: '7rem',
      align: 'end',
      cell: (person) => (person.allAccounts ? t('All') : person.accountIds.length),
    },
  ]
}

function People({ of, add }: { of: StaffOrganisation; add: ReactNode }) {
  const { client } = useApplication()
  const t = useText()
  const calls = staffCalls(client, of)
  const columns = useColumns()
  const { view, error, retry } = useServerRows<StaffUser>({
    name: 'staff',
    queryKey: [...calls.key, 'list'],
    fetch: (wish, _search, signal) => calls.list(wish, signal),
    firstSort: { column: 'lastName', descending: false },
    place: useListInAddress(staffInAddress),
  })
  return (
    <DataTable
      label={t('Staff')}
      columns={columns}
      view={view}
      rowKey={(person) => person.userId}
      rowName={staffName}
      density="dense"
      phoneColumns={usePhoneColumns()}
      rowHref={(person) => `/dealer${calls.home}/${person.userId}`}
      empty={
        <EmptyState icon="users" title={t('No staff yet')} action={add}>
          {t('Staff sign in here to help customers and manage accounts.')}
        </EmptyState>
      }
      failed={error === null ? undefined : <LoadFailed error={error} reset={retry} />}
    />
  )
}

/** The staff of an organization. */
export function StaffList({ of, title }: { of: StaffOrganisation; title: Text }) {
  const { client } = useApplication()
  const t = useText()
  const [adding, setAdding] = useState(false)
  const add = (
    <Button icon="plus" onClick={() => setAdding(true)}>
      {t('Add staff')}
    </Button>
  )
  return (
    <Gate call={staffCalls(client, of).shownBy}>
      <Screen
        width="table"
        title={t(title)}
        description={t('The people in this organization and their permissions.')}
        actions={add}
      >
        <People of={of} add={add} />
        {adding ? <AddStaff of={of} onClose={() => setAdding(false)} /> : null}
      </Screen>
    </Gate>
  )
}
