import { type Account, type AccountUser, patchAccountUser } from '@sightline/contract/reseller-accounts'
import { Badge, EmptyState, type MenuItem } from '@sightline/kit'
import { type Column, DataTable, useRowsInHand, useRowsPerPage } from '@sightline/kit/table'
import { LoadFailed, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useOwnStaff } from '../shell/own-staff.ts'
import { useText } from '../text.ts'
import { type AccountIds, accountQueries } from './account-queries.ts'
import { EditUser } from './EditUser.tsx'
import { useOpenAsSupport } from './open-as-support.ts'
import { useSupportPreconditions } from './SupportCard.tsx'

const nameOf = ({ firstName, lastName }: AccountUser) => `${firstName} ${lastName}`

function useColumns(): readonly Column<AccountUser>[] {
  const t = useText()
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('Name'),
        sortBy: nameOf,
        cell: (user) => (
          <span className="flex flex-wrap items-center gap-2">
            {nameOf(user)}
            {user.isOwner ? <Badge mood="brand">{t('Owner')}</Badge> : null}
            {user.blocked ? <Badge mood="danger">{t('Blocked')}</Badge> : null}
          </span>
        ),
      },
      {
        key: 'email',
        header: t('Email address'),
        sortBy: (user) => user.email,
        cell: (user) => (
          <bdi dir="ltr" className="wrap-anywhere">
            {user.email}
          </bdi>
        ),
      },
    ],
    [t],
  )
}

/** The users of the account. */
export function UsersCard({ account, place }: { account: Account; place: AccountIds }) {
  const { client } = useApplication()
  const t = useText()
  const own = useOwnStaff()
  const { data, error, refetch } = useQuery(accountQueries(client, place).users)
  const [rowsPerPage, onRowsPerPage] = useRowsPerPage('accountUsers')
  const [edited, edit] = useState<AccountUser>()
  const columns = useColumns()
  const view = useRowsInHand({ rows: data, columns, rowsPerPage, onRowsPerPage })
  const { open } = useOpenAsSupport(place)
  const isOpen = useSupportPreconditions(account, place)?.every(({ holds }) => holds) === true
  const menuOf = (user: AccountUser): readonly MenuItem[] => [
    ...(own.may(patchAccountUser) ? [{ label: t('Edit'), icon: 'edit' as const, onSelect: () => edit(user) }] : []),
    ...(isOpen && !user.blocked
      ? [{ label: t('Start support session'), icon: 'key' as const, onSelect: () => void open(user.userId) }]
      : []),
  ]
  return (
    <section aria-labelledby="account-users">
      <h2 id="account-users" className="mb-3 text-base font-semibold">
        {t('Users')}
      </h2>
      <DataTable
        label={t('Users')}
        columns={columns}
        view={view}
        rowKey={(user) => user.userId}
        rowName={nameOf}
        rowMenu={menuOf}
        searchLabel={t('Search by name or email address')}
        empty={<EmptyState icon="users" title={t('No users yet')} />}
        failed={
          error === null || data !== undefined ? undefined : <LoadFailed error={error} reset={() => void refetch()} />
        }
      />
      {edited === undefined ? null : <EditUser user={edited} place={place} onClose={() => edit(undefined)} />}
    </section>
  )
}
