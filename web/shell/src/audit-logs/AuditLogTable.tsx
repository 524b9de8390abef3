import { MAX_COUNTED } from '@sightline/contract/audit-logs'
import { type DayRange, EmptyState } from '@sightline/kit'
import { type Column, DataTable, type TableView, timeWidths } from '@sightline/kit/table'
import { type ReactNode, useMemo, useState } from 'react'
import { LoadFailed } from '../LoadFailed.tsx'
import type { ListStateStore } from '../list-state.ts'
import { useServerRows } from '../use-server-rows.ts'
import { AuditFilters } from './AuditFilters.tsx'
import { AuditTools } from './AuditTools.tsx'
import { type AuditLogFilter, filterQuery, isNarrowing } from './audit-filter.ts'
import type { AuditSource, AuditTimes, LogEntry, LogKind } from './audit-source.ts'
import { Action, SignatureState, Target, Who } from './entry-cells.tsx'
import { LineDetails } from './LineDetails.tsx'
import { useText } from './text.ts'
import { useFilterInAddress } from './use-filter-in-address.ts'

interface AuditLines {
  readonly source: AuditSource
  readonly filter: AuditLogFilter
  readonly timeZone: string
  readonly place: ListStateStore
  readonly clear: () => void
}

/** The filtered entries, loaded page by page. */
function useAuditLines({ source, filter, timeZone, place, clear }: AuditLines) {
  const query = filterQuery(filter, timeZone)
  const { view, error, retry } = useServerRows<LogEntry>({
    name: 'auditLog',
    queryKey: [...source.queryKey, query],
    fetch: (wish, _, signal) => source.list(query, wish, signal),
    filter: isNarrowing(filter) ? { onClear: clear } : undefined,
    searches: true,
    place,
  })
  // The server stops counting at this number.
  const isCounted = view.total !== undefined && view.total < MAX_COUNTED
  const counted: TableView<LogEntry> = { ...view, total: isCounted ? view.total : undefined }
  return { view: counted, error, retry }
}

type When = AuditTimes['when']

function useColumns(kind: LogKind, when: When, onOpen: (line: LogEntry) => void): readonly Column<LogEntry>[] {
  const t = useText()
  return useMemo(
    () => [
      {
        key: 'time',
        header: t('Time'),
        width: timeWidths.second,
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
      { key: 'who', header: t('User'), width: '22%', cell: (line) => <Who line={line} kind={kind} /> },
      { key: 'action', header: t('Action'), cell: ({ action }) => <Action action={action} kind={kind} /> },
      { key: 'target', header: t('Target'), cell: (line) => <Target line={line} kind={kind} /> },
      {
        key: 'address',
        header: t('IP address'),
        width: '9rem',
        minor: true,
        cell: ({ address }) => <bdi dir="ltr">{address ?? '–'}</bdi>,
      },
      {
        key: 'sealed',
        header: t('Sealed'),
        width: '8rem',
        minor: true,
        cell: (line) => <SignatureState line={line} />,
      },
    ],
    [t, kind, when, onOpen],
  )
}

/** On paper: the filter of the entries below. */
function PrintedHead({ filter, source: { people } }: { filter: AuditLogFilter; source: AuditSource }) {
  const t = useText()
  const names = filter.people.map((id) => people?.find(({ userId }) => userId === id)?.name ?? String(id))
  const said = [
    filter.from === '' && filter.till === '' ? '' : `${filter.from} – ${filter.till}`,
    ...names,
    filter.supportOnly ? t('Support and provider only') : '',
    filter.search,
  ].filter((part) => part !== '')
  return said.length === 0 ? null : <p className="mb-2 hidden print:block">{said.join(' · ')}</p>
}

interface AuditLogTableProps {
  source: AuditSource
  times: AuditTimes
  /** The filter for days, as the app's other lists have it. */
  dayFilter: (days: DayRange, onChange: (days: DayRange) => void) => ReactNode
  /** What appears here, for a log without entries. */
  emptyText: string
}

/** Who did what, and when: with search, filters in the address, details, print and export. */
export function AuditLogTable({ source, times, dayFilter, emptyText }: AuditLogTableProps) {
  const t = useText()
  const { timeZone, when } = times
  const { filter, place, change, clear } = useFilterInAddress()
  const [open, setOpen] = useState<LogEntry>()
  const columns = useColumns(source.kind, when, setOpen)
  const { view, error, retry } = useAuditLines({ source, filter, timeZone, place, clear })
  const { exportFile, people } = source
  const days = dayFilter(filter, (chosen) => change({ ...filter, ...chosen }))
  return (
    <>
      <PrintedHead filter={filter} source={source} />
      <DataTable
        label={t('Audit log')}
        columns={columns}
        density="dense"
        view={view}
        rowKey={({ auditLogId }) => auditLogId}
        rowName={(line) => when(line.time)}
        searchLabel={t('Search the audit log')}
        filters={<AuditFilters filter={filter} onChange={change} source={source} dayFilter={days} />}
        {...(exportFile === undefined ? {} : { beyond: t('Exports include up to 100,000 entries.') })}
        tools={<AuditTools filter={filter} timeZone={timeZone} exportFile={exportFile} />}
        empty={
          <EmptyState icon="list" title={t('No entries yet')}>
            {emptyText}
          </EmptyState>
        }
        failed={error === null ? undefined : <LoadFailed error={error} reset={retry} />}
      />
      <LineDetails
        line={open}
        actsAs={people?.find(({ userId }) => userId === open?.userId)?.name}
        when={when}
        kind={source.kind}
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
