import { type AuditLog, getAuditExport, getAuditLogs, MAX_COUNTED } from '@sightline/contract/audit-logs'
import { EmptyState, Skeleton, SkeletonGroup } from '@sightline/kit'
import { type Column, DataTable, type TableView } from '@sightline/kit/table'
import { type ListStateStore, LoadFailed, Screen, useApplication, useServerRows } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { useOwnPermissions } from '../rights/index.ts'
import { AuditFilters } from './AuditFilters.tsx'
import { AuditTools } from './AuditTools.tsx'
import { type AuditLogFilter, filterQuery, isNarrowing } from './audit-filter.ts'
import { auditQueries } from './audit-queries.ts'
import { Action, SignatureState, targetName, Who } from './entry-cells.tsx'
import { LineDetails } from './LineDetails.tsx'
import { useText } from './text.ts'
import { useFilterInAddress } from './use-filter-in-address.ts'

interface AuditLines {
  readonly filter: AuditLogFilter
  readonly timeZone: string
  readonly place: ListStateStore
  readonly clear: () => void
}

/** The filtered entries, loaded page by page. */
function useAuditLines({ filter, timeZone, place, clear }: AuditLines) {
  const { client } = useApplication()
  const query = filterQuery(filter, timeZone)
  const { view, error, retry } = useServerRows<AuditLog>({
    name: 'auditLog',
    queryKey: ['auditLogs', query],
    fetch: (wish, _, signal) => client.page(getAuditLogs, { query }, wish, { signal }),
    filter: isNarrowing(filter) ? { onClear: clear } : undefined,
    searches: true,
    place,
  })
  // The server stops counting at this number.
  const isCounted = view.total !== undefined && view.total < MAX_COUNTED
  const counted: TableView<AuditLog> = { ...view, total: isCounted ? view.total : undefined }
  return { view: counted, error, retry }
}

type When = ReturnType<typeof useMoments>['when']

function useColumns(when: When, onOpen: (line: AuditLog) => void): readonly Column<AuditLog>[] {
  const t = useText()
  return useMemo(
    () => [
      {
        key: 'time',
        header: t('Time'),
        width: '12.5rem',
        cell: (line) => (
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => onOpen(line)}
            className="rounded-sm text-start tabular-nums text-link hover:underline pointer-coarse:min-h-11 print:text-text"
          >
            {when(line.time)}
          </button>
        ),
      },
      { key: 'who', header: t('User'), width: '22%', cell: (line) => <Who line={line} /> },
      { key: 'action', header: t('Action'), cell: ({ action }) => <Action action={action} /> },
      { key: 'target', header: t('Target'), cell: targetName },
      {
        key: 'address',
        header: t('IP address'),
        width: '9rem',
        minor: true,
        cell: ({ address }) => <bdi dir="ltr">{address}</bdi>,
      },
      {
        key: 'sealed',
        header: t('Sealed'),
        width: '8rem',
        minor: true,
        cell: (line) => <SignatureState line={line} />,
      },
    ],
    [t, when, onOpen],
  )
}

/** On paper: the filter of the entries below. */
function PrintedHead({ filter }: { filter: AuditLogFilter }) {
  const t = useText()
  const { client } = useApplication()
  const user = useQuery(auditQueries(client).people).data
  const names = filter.people.map((id) => user?.find(({ userId }) => userId === id)?.name ?? String(id))
  const said = [
    filter.from === '' && filter.till === '' ? '' : `${filter.from} – ${filter.till}`,
    ...names,
    filter.supportOnly ? t('Support and provider only') : '',
    filter.search,
  ].filter((part) => part !== '')
  return said.length === 0 ? null : <p className="mb-2 hidden print:block">{said.join(' · ')}</p>
}

function Log({ mayExport }: { mayExport: boolean }) {
  const t = useText()
  const { client } = useApplication()
  const { timeZone, when } = useMoments()
  const { filter, place, change, clear } = useFilterInAddress()
  const [open, setOpen] = useState<AuditLog>()
  const columns = useColumns(when, setOpen)
  const { view, error, retry } = useAuditLines({ filter, timeZone, place, clear })
  const people = useQuery(auditQueries(client).people).data
  return (
    <>
      <PrintedHead filter={filter} />
      <DataTable
        label={t('Audit log')}
        columns={columns}
        view={view}
        rowKey={({ auditLogId }) => auditLogId}
        rowName={(line) => when(line.time)}
        searchLabel={t('Search the audit log')}
        filters={<AuditFilters filter={filter} onChange={change} />}
        {...(mayExport ? { beyond: t('Exports include up to 100,000 entries.') } : {})}
        tools={<AuditTools filter={filter} timeZone={timeZone} mayExport={mayExport} />}
        empty={
          <EmptyState icon="list" title={t('No entries yet')}>
            {t('Sign-ins, video views and changes appear here.')}
          </EmptyState>
        }
        failed={error === null ? undefined : <LoadFailed error={error} reset={retry} />}
      />
      <LineDetails
        line={open}
        actsAs={people?.find(({ userId }) => userId === open?.userId)?.name}
        when={when}
        onClose={() => setOpen(undefined)}
      />
      {isNarrowing(filter) ? null : (
        <p className="mt-3 text-xs text-muted print:hidden">
          {t('Each sealed entry is numbered and linked to the one before it, so any later change leaves a trace.')}
        </p>
      )}
    </>
  )
}

/** Who did what in the account, and when. */
export function AuditLogScreen() {
  const t = useText()
  const own = useOwnPermissions()
  return (
    <Screen
      width="table"
      title={t('Audit log')}
      description={t("See who did what in this account, and when. Entries can't be changed.")}
    >
      {own.data === undefined ? <Waiting own={own} /> : null}
      {own.data?.may(getAuditLogs) === true ? <Log mayExport={own.data.may(getAuditExport)} /> : null}
      {own.data?.may(getAuditLogs) === false ? (
        <EmptyState icon="lock" title={t("You can't view the audit log")}>
          {t('Ask the account owner for the “View users and audit log” right.')}
        </EmptyState>
      ) : null}
    </Screen>
  )
}

function Waiting({ own }: { own: ReturnType<typeof useOwnPermissions> }) {
  if (own.error !== null) return <LoadFailed error={own.error} reset={() => void own.refetch()} />
  return (
    <SkeletonGroup>
      <Skeleton className="h-64 w-full" />
    </SkeletonGroup>
  )
}
