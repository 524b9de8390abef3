import {
  addMobileSubscription,
  getMobileSubscriptions,
  type MobileSubscription,
  patchMobileSubscription,
} from '@sightline/contract/mobile-subscriptions'
import { Badge, Button, EmptyState, type MenuItem } from '@sightline/kit'
import { type Column, DataTable, useRowsInHand, useRowsPerPage } from '@sightline/kit/table'
import { LoadFailed, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useMoment } from '../moments.ts'
import { resellerQuery } from '../resellers/index.ts'
import { useOwnStaff } from '../shell/own-staff.ts'
import { AddMobileSubscription } from './AddMobileSubscription.tsx'
import { ChangePlan } from './ChangePlan.tsx'
import { EndMobileSubscription, type Farewell } from './EndMobileSubscription.tsx'
import { type AccountParams, mobileSubscriptionsQuery } from './mobile-subscription-queries.ts'
import { type Text, useText } from './text.ts'

const statuses = {
  active: { label: 'Active', mood: 'success' },
  suspended: { label: 'Suspended', mood: 'warning' },
  ended: { label: 'Ended', mood: 'neutral' },
} as const satisfies Record<MobileSubscription['status'], { label: Text; mood: string }>

/** As on cards: in groups of four digits. */
const inGroups = (iccid: string) => iccid.replaceAll(/(\d{4})(?=\d)/g, '$1 ')

function StatusBadge({ status }: Pick<MobileSubscription, 'status'>) {
  const t = useText()
  return <Badge mood={statuses[status].mood}>{t(statuses[status].label)}</Badge>
}

function useColumns(): readonly Column<MobileSubscription>[] {
  const t = useText()
  const moment = useMoment()
  return useMemo(
    () => [
      {
        key: 'iccid',
        header: t('ICCID'),
        width: '16rem',
        sortBy: ({ iccid }) => iccid,
        searchText: ({ iccid }) => `${iccid} ${inGroups(iccid)}`,
        cell: ({ iccid }) => (
          <bdi dir="ltr" className="tabular-nums">
            {inGroups(iccid)}
          </bdi>
        ),
      },
      {
        key: 'sku',
        header: t('SKU'),
        sortBy: ({ sku }) => sku,
        cell: ({ sku }) => (
          <bdi dir="ltr" className="wrap-anywhere">
            {sku}
          </bdi>
        ),
      },
      {
        key: 'status',
        header: t('Status'),
        width: '9rem',
        sortBy: ({ status }) => t(statuses[status].label),
        searchText: ({ status }) => t(statuses[status].label),
        cell: ({ status }) => <StatusBadge status={status} />,
      },
      {
        key: 'startDate',
        header: t('Period'),
        sortBy: ({ startDate }) => startDate,
        searchText: false,
        cell: ({ startDate, endDate }) => {
          const start = moment(startDate, 'day')
          return endDate === null ? t('Since {day}', { day: start }) : `${start} – ${moment(endDate, 'day')}`
        },
      },
    ],
    [t, moment],
  )
}

interface Asked {
  readonly subscription: MobileSubscription
  readonly act: 'plan' | Farewell
}

/** What can be done with a subscription, by its status. */
function useMenu(place: AccountParams, ask: (asked: Asked) => void) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const set = async ({ mobileSubscriptionId }: MobileSubscription, status: 'active' | 'suspended') => {
    const call = { params: { ...place, mobileSubscriptionId }, body: { status } }
    await save(() => client.call(patchMobileSubscription, call), {
      success: t(status === 'active' ? 'Mobile subscription active' : 'Mobile subscription suspended'),
      messages: { 4: t('This mobile subscription has already been removed.') },
    })
    void queries.invalidateQueries({ queryKey: mobileSubscriptionsQuery(client, place).queryKey })
  }
  return (subscription: MobileSubscription): readonly MenuItem[] => {
    const { status } = subscription
    const open = (act: Asked['act']) => () => ask({ subscription, act })
    return [
      { label: t('Change plan'), icon: 'edit', onSelect: open('plan') },
      status === 'active'
        ? { label: t('Suspend'), icon: 'block', onSelect: () => void set(subscription, 'suspended') }
        : { label: t('Activate'), icon: 'check', onSelect: () => void set(subscription, 'active') },
      ...(status === 'ended' ? [] : [{ label: t('End subscription'), icon: 'close' as const, onSelect: open('end') }]),
      { label: t('Remove subscription'), icon: 'trash', onSelect: open('remove') },
    ]
  }
}

/** The account's SIM cards and their plans. Absent for brands without them. */
export function MobileSubscriptionsCard({ place }: { place: AccountParams }) {
  const { client } = useApplication()
  const own = useOwnStaff()
  const reseller = useQuery(resellerQuery(client, place.resellerId))
  const isOffered = reseller.data?.modules.mobileSubscriptions === true && own.may(getMobileSubscriptions)
  return isOffered ? <Subscriptions place={place} /> : null
}

function Subscriptions({ place }: { place: AccountParams }) {
  const { client } = useApplication()
  const t = useText()
  const own = useOwnStaff()
  const { data: rows, error, refetch } = useQuery(mobileSubscriptionsQuery(client, place))
  const [rowsPerPage, onRowsPerPage] = useRowsPerPage('mobileSubscriptions')
  const [asked, ask] = useState<Asked>()
  const [adding, setAdding] = useState(false)
  const columns = useColumns()
  const view = useRowsInHand({ rows, columns, rowsPerPage, onRowsPerPage })
  const menu = useMenu(place, ask)
  const close = () => ask(undefined)
  const canAdd = own.may(addMobileSubscription)
  const hasSome = rows !== undefined && rows.length > 0
  const add = (variant: 'primary' | 'secondary') => (
    <Button variant={variant} icon="plus" onClick={() => setAdding(true)}>
      {t('Add mobile subscription')}
    </Button>
  )
  return (
    <section aria-labelledby="mobile-subscriptions">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="mobile-subscriptions" className="text-base font-semibold">
          {t('Mobile subscriptions')}
        </h2>
        {hasSome && canAdd ? add('secondary') : null}
      </div>
      <DataTable
        label={t('Mobile subscriptions')}
        columns={columns}
        view={view}
        rowKey={({ mobileSubscriptionId }) => mobileSubscriptionId}
        rowName={({ iccid }) => inGroups(iccid)}
        {...(own.may(patchMobileSubscription) ? { rowMenu: menu } : {})}
        searchLabel={t('Search by ICCID or SKU')}
        empty={
          <EmptyState icon="card" title={t('No mobile subscriptions')} {...(canAdd ? { action: add('primary') } : {})}>
            {t('Keep track of the SIM cards of cameras that use a mobile network, and of their plans.')}
          </EmptyState>
        }
        failed={
          error === null || rows !== undefined ? undefined : <LoadFailed error={error} reset={() => void refetch()} />
        }
      />
      {adding ? <AddMobileSubscription place={place} onClose={() => setAdding(false)} /> : null}
      {asked?.act === 'plan' ? <ChangePlan place={place} subscription={asked.subscription} onClose={close} /> : null}
      {asked === undefined || asked.act === 'plan' ? null : (
        <EndMobileSubscription place={place} subscription={asked.subscription} kind={asked.act} onClose={close} />
      )}
    </section>
  )
}
