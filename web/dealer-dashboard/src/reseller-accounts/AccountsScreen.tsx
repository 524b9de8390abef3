import { type Account, addAccount, getResellerAccounts } from '@sightline/contract/reseller-accounts'
import { Button, EmptyState } from '@sightline/kit'
import { type Column, DataTable, FilterMenu } from '@sightline/kit/table'
import { LoadFailed, Screen, useApplication, useServerRows } from '@sightline/shell'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useMoment } from '../moments.ts'
import { Gate } from '../shell/Gate.tsx'
import { useOwnStaff } from '../shell/own-staff.ts'
import { useText } from '../text.ts'
import { AddAccount } from './AddAccount.tsx'
import { type Status, StatusBadge, statuses, useGrantText, userTypes } from './account-marks.tsx'
import { accountsKey } from './account-queries.ts'

const orders: Readonly<Record<string, true>> = { name: true, email: true, status: true, createdAt: true }

function useColumns(): readonly Column<Account>[] {
  const t = useText()
  const moment = useMoment()
  const grantText = useGrantText()
  const columns: readonly Column<Account>[] = [
    { key: 'name', header: t('Name'), width: '20%', cell: (account) => account.name },
    {
      key: 'email',
      header: t('Owner'),
      cell: (account) => (
        <bdi dir="ltr" className="wrap-anywhere">
          {account.email ?? '–'}
        </bdi>
      ),
    },
    {
      key: 'status',
      header: t('Status'),
      width: '8.5rem',
      cell: (account) => <StatusBadge status={account.status} />,
    },
    {
      key: 'userType',
      header: t('Type'),
      minor: true,
      width: '6.5rem',
      cell: (account) => t(userTypes[account.userType]),
    },
    { key: 'cameras', header: t('Cameras'), width: '6.5rem', align: 'end', cell: ({ usage }) => usage.cameras },
    { key: 'support', header: t('Support access'), minor: true, width: '9rem', cell: (account) => grantText(account) },
    { key: 'createdAt', header: t('Created'), minor: true, width: '8rem', cell: (one) => moment(one.createdAt, 'day') },
  ]
  return columns.map((column) => (orders[column.key] === undefined ? column : { ...column, sortBy: true }))
}

interface AccountsProps {
  resellerId: string
  add: ReactNode
}

function Accounts({ resellerId, add }: AccountsProps) {
  const { client } = useApplication()
  const t = useText()
  const [status, setStatus] = useState<Status>()
  const columns = useColumns()
  const { view, error, retry } = useServerRows<Account>({
    name: 'accounts',
    queryKey: [...accountsKey(resellerId), { status }],
    fetch: (wish, search, signal) => {
      const query = { ...(search === '' ? {} : { q: search }), ...(status === undefined ? {} : { status }) }
      return client.page(getResellerAccounts, { params: { resellerId }, query }, wish, { signal })
    },
    firstSort: { column: 'name', descending: false },
    searches: true,
    filter: status === undefined ? undefined : { onClear: () => setStatus(undefined) },
  })
  return (
    <DataTable
      label={t('Accounts')}
      columns={columns}
      view={view}
      rowKey={(account) => account.accountId}
      rowName={(account) => account.name}
      rowHref={(account) => `/dealer/resellers/${resellerId}/accounts/${account.accountId}`}
      searchLabel={t('Search by name or email address')}
      filters={
        <FilterMenu
          label={t('Status')}
          value={status}
          onChange={setStatus}
          choices={(Object.keys(statuses) as Status[]).map((value) => ({ value, label: t(statuses[value].label) }))}
        />
      }
      empty={
        <EmptyState icon="users" title={t('No accounts yet')} action={add}>
          {t('Each customer has an account with its own cameras, users and subscription.')}
        </EmptyState>
      }
      failed={error === null ? undefined : <LoadFailed error={error} reset={retry} />}
    />
  )
}

/** The customers of a reseller that the user may manage. */
export function AccountsScreen() {
  const t = useText()
  const own = useOwnStaff()
  const { resellerId } = useParams({ from: '/signed-in/resellers/$resellerId/accounts' })
  const [adding, setAdding] = useState(false)
  const add = own.may(addAccount) ? (
    <Button icon="plus" onClick={() => setAdding(true)}>
      {t('Add account')}
    </Button>
  ) : undefined
  return (
    <Gate call={getResellerAccounts}>
      <Screen width="table" title={t('Accounts')} description={t('The customer accounts you manage.')} actions={add}>
        <Accounts resellerId={resellerId} add={add} />
        {adding ? <AddAccount resellerId={resellerId} onClose={() => setAdding(false)} /> : null}
      </Screen>
    </Gate>
  )
}
