import { getResellerAuditLogs } from '@sightline/contract/audit-logs'
import { getResellerStaff } from '@sightline/contract/staff'
import { DateRange, type DayRange } from '@sightline/kit'
import { FilterPopup } from '@sightline/kit/table'
import { Screen, useApplication } from '@sightline/shell'
import { AuditLogTable, type AuditSource, dealerActions } from '@sightline/shell/audit-logs'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useMoment } from '../moments.ts'
import { Gate } from '../shell/Gate.tsx'
import { useOwnStaff } from '../shell/own-staff.ts'
import { useText } from '../text.ts'

const KNOWN_MS = 300_000

/** The calls about the log of a reseller's staff, and the options of its filters. */
function useResellerLog(resellerId: string): AuditSource {
  const { client } = useApplication()
  const params = { resellerId }
  const { data: people } = useQuery({
    queryKey: ['staff', 'reseller', resellerId, 'of the audit log'],
    queryFn: async ({ signal }) => {
      const wish = { limit: 500, sort: 'lastName' }
      const { rows } = await client.page(getResellerStaff, { params }, wish, { signal })
      return rows.map(({ userId, firstName, lastName }) => ({ userId, name: `${firstName} ${lastName}` }))
    },
    staleTime: KNOWN_MS,
    enabled: useOwnStaff().may(getResellerStaff),
  })
  return {
    kind: 'dealer',
    queryKey: ['resellers', resellerId, 'auditLogs'],
    list: (query, wish, signal) => client.page(getResellerAuditLogs, { params, query }, wish, { signal }),
    actions: dealerActions,
    people,
    cameras: undefined,
    exportFile: undefined,
  }
}

function DayFilter({ days: { from, till }, onChange }: { days: DayRange; onChange: (days: DayRange) => void }) {
  const t = useText()
  const moment = useMoment()
  const dayText = (day: string) => (day === '' ? '…' : moment(`${day}T12:00:00`, 'day'))
  const isOpen = from === '' && till === ''
  return (
    <FilterPopup label={t('Dates')} summary={isOpen ? undefined : `${dayText(from)} – ${dayText(till)}`}>
      <DateRange days={{ from, till }} onChange={onChange} />
    </FilterPopup>
  )
}

function Log({ resellerId }: { resellerId: string }) {
  const t = useText()
  const moment = useMoment()
  const when = useCallback((time: string | Date) => moment(Number(new Date(time)), 'second'), [moment])
  return (
    <AuditLogTable
      source={useResellerLog(resellerId)}
      times={{ timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, when }}
      dayFilter={(days, onChange) => <DayFilter days={days} onChange={onChange} />}
      emptyText={t('Staff activity in accounts, brands and settings appears here.')}
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
