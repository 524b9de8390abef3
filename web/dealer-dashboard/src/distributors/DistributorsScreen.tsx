import { addDistributor, type Distributor, getDistributors } from '@sightline/contract/distributors'
import { companyProblem, emailProblem } from '@sightline/contract/user-details'
import { Button, EmptyState, FormDialog, type Rules, TextField, useForm } from '@sightline/kit'
import { type Column, DataTable, type DataTableProps } from '@sightline/kit/table'
import { LoadFailed, Screen, useApplication, useSave, useServerRows } from '@sightline/shell'
import { useState } from 'react'
import { useMoment } from '../moments.ts'
import { useListInAddress } from '../shell/list-in-address.ts'
import { NotAllowed } from '../shell/NothingHere.tsx'
import { useOwnStaff } from '../shell/own-staff.ts'
import { distributorsInAddress } from './distributor-list-state.ts'
import { useText } from './text.ts'

interface NewDistributor extends Record<string, string> {
  readonly name: string
  readonly email: string
}

const empty: NewDistributor = { name: '', email: '' }
export const distributorRules: Rules<NewDistributor> = {
  name: (text) => (text.trim() === '' ? 'Name is required' : companyProblem(text)),
  email: (text) => (text === '' ? undefined : emailProblem(text)),
}

function AddDistributor({ onClose }: { onClose: () => void }) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const form = useForm(empty, distributorRules, t.message)
  const add = async ({ name, email }: NewDistributor) => {
    const body = { name: name.trim(), ...(email === '' ? {} : { email }) }
    const outcome = await save(() => client.call(addDistributor, { body }), {
      success: t('{name} added', { name: body.name }),
      form: { fields: ['name', 'email'], fieldOfCode: { 5: 'name' }, refuse: form.refuse },
    })
    if (!('saved' in outcome)) return
    void queries.invalidateQueries({ queryKey: ['distributors'] })
    onClose()
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Add distributor')}
      submit={t('Add distributor')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(add)}
    >
      <TextField label={t('Name')} autoComplete="off" required {...form.field('name')} />
      <TextField
        label={t('Email address')}
        optional={t('optional')}
        type="email"
        autoComplete="off"
        {...form.field('email')}
      />
    </FormDialog>
  )
}

function useColumns(): readonly Column<Distributor>[] {
  const t = useText()
  const moment = useMoment()
  return [
    { key: 'name', header: t('Name'), sortBy: true, width: '36%', cell: (one) => one.name },
    { key: 'email', header: t('Email address'), cell: (one) => <bdi dir="ltr">{one.email ?? '–'}</bdi> },
    {
      key: 'resellers',
      header: t('Resellers'),
      sortBy: true,
      width: '8rem',
      align: 'end',
      cell: (one) => one.resellers,
    },
    { key: 'createdAt', header: t('Created'), sortBy: true, minor: true, cell: (one) => moment(one.createdAt, 'day') },
  ]
}

function usePhoneColumns(): DataTableProps<Distributor>['phoneColumns'] {
  const t = useText()
  return [
    { key: 'name', header: t('Name'), cell: ({ name }) => name },
    { key: 'resellers', header: t('Resellers'), cell: ({ resellers }) => t('{count} resellers', { count: resellers }) },
    { key: 'email', header: t('Email address'), cell: ({ email }) => <bdi dir="ltr">{email ?? '–'}</bdi> },
  ]
}

/** All distributors, for administrators. */
export function DistributorsScreen() {
  const { client } = useApplication()
  const t = useText()
  const own = useOwnStaff()
  const [adding, setAdding] = useState(false)
  const columns = useColumns()
  const phoneColumns = usePhoneColumns()
  const { view, error, retry } = useServerRows<Distributor>({
    name: 'distributors',
    queryKey: ['distributors'],
    fetch: (wish, _search, signal) => client.page(getDistributors, {}, wish, { signal }),
    firstSort: { column: 'name', descending: false },
    place: useListInAddress(distributorsInAddress),
  })
  if (!own.isAtLeast('admin')) return <NotAllowed />
  const add = (
    <Button icon="plus" onClick={() => setAdding(true)}>
      {t('Add distributor')}
    </Button>
  )
  return (
    <Screen width="table" title={t('Distributors')} description={t('Distributors manage resellers.')} actions={add}>
      <DataTable
        label={t('Distributors')}
        columns={columns}
        view={view}
        rowKey={(one) => one.distributorId}
        rowName={(one) => one.name}
        density="dense"
        phoneColumns={phoneColumns}
        rowHref={(one) => `/dealer/distributors/${one.distributorId}/resellers`}
        empty={
          <EmptyState icon="globe" title={t('No distributors yet')} action={add}>
            {t('Add a distributor to manage resellers.')}
          </EmptyState>
        }
        failed={error === null ? undefined : <LoadFailed error={error} reset={retry} />}
      />
      {adding ? <AddDistributor onClose={() => setAdding(false)} /> : null}
    </Screen>
  )
}
