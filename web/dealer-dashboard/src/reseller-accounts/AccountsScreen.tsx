import { getInsights } from '@sightline/contract/insights'
import { type Account, addAccount, getResellerAccounts } from '@sightline/contract/reseller-accounts'
import { Button, EmptyState } from '@sightline/kit'
import { type Column, DataTable, type DataTableProps, FilterMenu } from '@sightline/kit/table'
import { LoadFailed, Screen, useApplication, useServerRows } from '@sightline/shell'
import { useParams } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useMoment } from '../moments.ts'
import { Gate } from '../shell/Gate.tsx'
import { useListInAddress } from '../shell/list-in-address.ts'
import { useOwnStaff } from '../shell/own-staff.ts'
import { AccountSummary } from './AccountSummary.tsx'
import { accountStatuses, accountsInAddress, accountTypes } from './account-list-state.ts'
import { StatusBadge, statuses, useGrantText, userTypes } from './account-marks.tsx'
import { accountsKey } from './account-queries.ts'
import { useText } from './text.ts'

// The list comes first; the form loads when it is opened.
const AddAccount = lazy(() => import('./AddAccount.tsx').then((module) => ({ default: module.AddAccount })))

function Owner({ account }: { account: Account }) {
  return (
    <bdi dir="ltr" title={account.email ?? undefined}>
      {account.email ?? '–'}
    </bdi>
  )
}

const outOf = (t: ReturnType<typeof useText>, used: number, most: number | null) =>
  most === null ? String(used) : t('{used} of {most}', { used, most })

function useColumns(): readonly Column<Account>[] {
  const t = useText()
  const moment = useMoment()
  const grantText = useGrantText()
  return [
    { key: 'name', header: t('Name'), sortBy: true, width: '20%', cell: (account) => account.name },
    {
      key: 'accountId',
      header: t('Account number'),
      sortBy: true,
      minor: true,
      width: '10.5rem',
      cell: ({ accountId }) => <span className="tabular-nums">{accountId}</span>,
    },
    {
      key: 'email',
      header: t('Owner'),
      sortBy: true,
      cell: (account) => (
        <div className="truncate">
          <Owner account={account} />
        </div>
      ),
    },
    {
      key: 'status',
      header: t('Status'),
      sortBy: true,
      width: '8rem',
      cell: (account) => <StatusBadge status={account.status} />,
    },
    { key: 'userType', header: t('Type'), minor: true, width: '5.5rem', cell: (one) => t(userTypes[one.userType]) },
    {
      key: 'cameras',
      header: t('Cameras'),
      width: '6.5rem',
      align: 'end',
      cell: ({ usage }) => outOf(t, usage.cameras, usage.cameraSlots),
    },
    { key: 'support', header: t('Support access'), minor: true, width: '9rem', cell: (account) => grantText(account) },
    {
      key: 'createdAt',
      header: t('Created'),
      sortBy: true,
      minor: true,
      width: '8rem',
      cell: (one) => moment(one.createdAt, 'day'),
    },
  ]
}

function usePhoneColumns(): DataTableProps<Account>['phoneColumns'] {
  const t = useText()
  return [
    { key: 'name', header: t('Name'), cell: (account) => account.name },
    { key: 'status', header: t('Status'), cell: (account) => <StatusBadge status={account.status} /> },
    {
      key: 'accountId',
      header: t('Account number, owner and cameras'),
      cell: (account) => (
        <>
          {account.accountId} · {t('{count} cameras', { count: account.usage.cameras })} · <Owner account={account} />
        </>
      ),
    },
  ]
}

type State = ReturnType<typeof accountsInAddress.parse>
type Change = (part: Partial<State>, how: 'push' | 'replace') => void

function Filters({ value: { status, userType }, change }: { value: State; change: Change }) {
  const t = useText()
  return (
    <>
      <FilterMenu
        label={t('Status')}
        value={status}
        onChange={(chosen) => change({ status: chosen, page: 0 }, 'replace')}
        choices={accountStatuses.map((value) => ({ value, label: t(statuses[value].label) }))}
      />
      <FilterMenu
        label={t('Type')}
        value={userType}
        onChange={(chosen) => change({ userType: chosen, page: 0 }, 'replace')}
        choices={accountTypes.map((value) => ({ value, label: t(userTypes[value]) }))}
      />
    </>
  )
}

function useAccountRows(resellerId: string, place: { readonly value: State; readonly change: Change }) {
  const { client } = useApplication()
  const { status, userType } = place.value
  const isFiltered = status !== undefined || userType !== undefined
  const clear = () => place.change({ search: '', status: undefined, userType: undefined, page: 0 }, 'replace')
  return useServerRows<Account>({
    name: 'accounts',
    queryKey: [...accountsKey(resellerId), { status, userType }],
    fetch: (wish, search, signal) => {
      const query = {
        ...(search === '' ? {} : { q: search }),
        ...(status === undefined ? {} : { status }),
        ...(userType === undefined ? {} : { userType }),
      }
      return client.page(getResellerAccounts, { params: { resellerId }, query }, wish, { signal })
    },
    firstSort: { column: 'name', descending: false },
    searches: true,
    filter: isFiltered ? { onClear: clear } : undefined,
    place,
  })
}

function Accounts({ resellerId, add }: { resellerId: string; add: ReactNode }) {
  const t = useText()
  const place = useListInAddress(accountsInAddress)
  const columns = useColumns()
  const phoneColumns = usePhoneColumns()
  const { view, error, retry } = useAccountRows(resellerId, place)
  return (
    <DataTable
      label={t('Accounts')}
      columns={columns}
      phoneColumns={phoneColumns}
      density="dense"
      view={view}
      rowKey={(account) => account.accountId}
      rowName={(account) => account.name}
      rowHref={(account) => `/dealer/resellers/${resellerId}/accounts/${account.accountId}`}
      searchLabel={t('Search accounts')}
      searchHint={t('Name, account number, email, telephone, or the full MAC address of a camera or device')}
      filters={<Filters {...place} />}
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
        {own.may(getInsights) ? <AccountSummary resellerId={resellerId} /> : null}
        <Accounts resellerId={resellerId} add={add} />
        <Suspense>{adding ? <AddAccount resellerId={resellerId} onClose={() => setAdding(false)} /> : null}</Suspense>
      </Screen>
    </Gate>
  )
}
