import { getResellers, type Reseller } from '@sightline/contract/resellers'
import { allModules } from '@sightline/contract/rights'
import { Button, EmptyState } from '@sightline/kit'
import { type Column, DataTable, type DataTableProps } from '@sightline/kit/table'
import { LoadFailed, Screen, useApplication, useServerRows } from '@sightline/shell'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMoment } from '../moments.ts'
import { useListInAddress } from '../shell/list-in-address.ts'
import { AddReseller } from './AddReseller.tsx'
import { resellersInAddress } from './reseller-list-state.ts'
import { useText } from './text.ts'

function useColumns(): readonly Column<Reseller>[] {
  const t = useText()
  const moment = useMoment()
  return [
    { key: 'name', header: t('Name'), sortBy: true, width: '36%', cell: (reseller) => reseller.name },
    {
      key: 'accounts',
      header: t('Accounts'),
      sortBy: true,
      width: '8rem',
      align: 'end',
      cell: (reseller) => reseller.accounts,
    },
    {
      key: 'modules',
      header: t('Modules'),
      cell: ({ modules }) =>
        t('{used} of {most}', {
          used: allModules.filter((module) => modules[module]).length,
          most: allModules.length,
        }),
    },
    {
      key: 'createdAt',
      header: t('Created'),
      sortBy: true,
      minor: true,
      cell: (reseller) => moment(reseller.createdAt, 'day'),
    },
  ]
}

function usePhoneColumns(): DataTableProps<Reseller>['phoneColumns'] {
  const t = useText()
  const moment = useMoment()
  return [
    { key: 'name', header: t('Name'), cell: ({ name }) => name },
    { key: 'accounts', header: t('Accounts'), cell: ({ accounts }) => t('{count} accounts', { count: accounts }) },
    {
      key: 'createdAt',
      header: t('Created'),
      cell: ({ createdAt }) => t('Created {date}', { date: moment(createdAt, 'day') }),
    },
  ]
}

/** The resellers of a distributor, each with a link to its accounts. */
export function ResellersScreen() {
  const { client } = useApplication()
  const t = useText()
  const { distributorId } = useParams({ from: '/signed-in/distributors/$distributorId/resellers' })
  const [adding, setAdding] = useState(false)
  const columns = useColumns()
  const { view, error, retry } = useServerRows<Reseller>({
    name: 'resellers',
    queryKey: ['distributors', distributorId, 'resellers'],
    fetch: (wish, _search, signal) => client.page(getResellers, { params: { distributorId } }, wish, { signal }),
    firstSort: { column: 'name', descending: false },
    place: useListInAddress(resellersInAddress),
  })
  const add = (
    <Button icon="plus" onClick={() => setAdding(true)}>
      {t('Add reseller')}
    </Button>
  )
  return (
    <Screen
      width="table"
      title={t('Resellers')}
      description={t('Resellers sell the service under their own brand.')}
      actions={add}
    >
      <DataTable
        label={t('Resellers')}
        columns={columns}
        view={view}
        rowKey={(reseller) => reseller.resellerId}
        rowName={(reseller) => reseller.name}
        density="dense"
        phoneColumns={usePhoneColumns()}
        rowHref={(reseller) => `/dealer/resellers/${reseller.resellerId}/accounts`}
        empty={
          <EmptyState icon="grid" title={t('No resellers yet')} action={add}>
            {t('Add a reseller to sell the service under its own brand.')}
          </EmptyState>
        }
        failed={error === null ? undefined : <LoadFailed error={error} reset={retry} />}
      />
      {adding ? <AddReseller distributorId={distributorId} onClose={() => setAdding(false)} /> : null}
    </Screen>
  )
}
