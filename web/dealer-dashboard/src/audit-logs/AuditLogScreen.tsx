import { type AuditGroup, type AuditLogMetadata, getResellerAuditLogs } from '@sightline/contract/audit-logs'
import { DateRange, type DayRange, EmptyState, isBackwards } from '@sightline/kit'
import { type Column, DataTable, FilterPopup } from '@sightline/kit/table'
import { LoadFailed, Screen, useApplication, useServerRows } from '@sightline/shell'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMoment } from '../moments.ts'
import { Gate } from '../shell/Gate.tsx'
import { type Text, useText } from '../text.ts'

const groupTexts: Readonly<Record<AuditGroup, Text>> = {
  signIn: 'Sign-in',
  video: 'Video',
  cameras: 'Cameras',
  zones: 'Zones',
  users: 'Users',
  account: 'Account',
  support: 'Support',
  apiKeys: 'API keys',
  auditLog: 'Audit log',
  dealer: 'Dealer',
  other: 'Other',
}

function useColumns(): readonly Column<AuditLogMetadata>[] {
  const t = useText()
  const moment = useMoment()
  return [
    { key: 'time', header: t('Time'), width: '13rem', cell: (line) => moment(line.time) },
    { key: 'user', header: t('User'), cell: (line) => line.user ?? t('Unknown') },
    {
      key: 'action',
      header: t('Action'),
      width: '26%',
      cell: (line) => (
        <span className="wrap-anywhere">
          {t(groupTexts[line.group])} <span className="text-muted">{line.action}</span>
        </span>
      ),
    },
    {
      key: 'target',
      header: t('Target'),
      cell: ({ target }) => (target === null ? '–' : (target.name ?? `${target.kind} ${target.id}`)),
    },
    {
      key: 'address',
      header: t('IP address'),
      minor: true,
      cell: (line) => <bdi dir="ltr">{line.address ?? '–'}</bdi>,
    },
  ]
}

const nowhere: DayRange = { from: '', till: '' }
/** Start and end of whole days in the reader's time zone; `till` is the start of the next day. */
function boundsOf({ from, till }: DayRange) {
  const startOf = (day: string, later: number) => {
    const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
    return new Date(year, month - 1, date + later).toISOString()
  }
  return { ...(from === '' ? {} : { from: startOf(from, 0) }), ...(till === '' ? {} : { till: startOf(till, 1) }) }
}

function Log({ resellerId }: { resellerId: string }) {
  const { client } = useApplication()
  const t = useText()
  const moment = useMoment()
  const [days, setDays] = useState(nowhere)
  const asked = isBackwards(days) ? nowhere : days
  const isNarrowed = asked.from !== '' || asked.till !== ''
  const columns = useColumns()
  const { view, error, retry } = useServerRows<AuditLogMetadata>({
    name: 'auditLog',
    queryKey: ['resellers', resellerId, 'auditLogs', asked],
    fetch: (wish, search, signal) => {
      const query = { ...boundsOf(asked), ...(search === '' ? {} : { q: search }) }
      return client.page(getResellerAuditLogs, { params: { resellerId }, query }, wish, { signal })
    },
    searches: true,
    filter: isNarrowed ? { onClear: () => setDays(nowhere) } : undefined,
  })
  const dayText = (day: string) => (day === '' ? '…' : moment(`${day}T12:00:00`, 'day'))
  return (
    <DataTable
      label={t('Audit log')}
      columns={columns}
      view={view}
      rowKey={(line) => line.auditLogId}
      rowName={(line) => `${moment(line.time)} ${line.action}`}
      searchLabel={t('Search the audit log')}
      filters={
        <FilterPopup
          label={t('Dates')}
          summary={isNarrowed ? `${dayText(asked.from)} – ${dayText(asked.till)}` : undefined}
        >
          <DateRange days={days} onChange={setDays} />
        </FilterPopup>
      }
      empty={
        <EmptyState icon="list" title={t('No activity yet')}>
          {t('Staff activity in accounts, brands and settings appears here.')}
        </EmptyState>
      }
      failed={error === null ? undefined : <LoadFailed error={error} reset={retry} />}
    />
  )
}

/** The audit log of a reseller's staff. */
export function AuditLogScreen() {
  const t = useText()
  const { resellerId } = useParams({ from: '/signed-in/resellers/$resellerId/audit-log' })
  return (
    <Gate call={getResellerAuditLogs}>
      <Screen width="table" title={t('Audit log')} description={t('What staff did and when.')}>
        <Log resellerId={resellerId} />
      </Screen>
    </Gate>
  )
}
