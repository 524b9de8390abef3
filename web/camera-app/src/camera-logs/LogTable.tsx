import type { Page, PageWish } from '@sightline/client'
import type { CameraLogLevel } from '@sightline/contract/camera-logs'
import { Badge, EmptyState, type Mood } from '@sightline/kit'
import { type Column, DataTable, FilterMenu, timeWidths } from '@sightline/kit/table'
import { type ListState, LoadFailed, parseListState, useServerRows } from '@sightline/shell'
import { type ReactNode, useMemo } from 'react'
import { useMoments } from '../account-time/index.ts'
import { DayFilter } from '../day-filter/index.ts'
import {
  isFiltering,
  type LogFilter,
  type LogSearch,
  logQuery,
  parseLogFilter,
  searchOfLog,
  wholeLog,
} from './log-filter.ts'
import { type Text, useText } from './text.ts'

const levelWords: Readonly<Record<CameraLogLevel, { readonly text: Text; readonly mood: Mood }>> = {
  info: { text: 'Info', mood: 'neutral' },
  warning: { text: 'Warning', mood: 'warning' },
  error: { text: 'Error', mood: 'danger' },
}

/** A line of the log of a camera or a recorder. */
export interface TimedEntry {
  readonly time: string
  readonly level: CameraLogLevel
  /** A sentence in English. */
  readonly detail: string
}

interface LogTableProps<Line extends TimedEntry> {
  label: string
  /** What keeps the rows, after which comes the filter. */
  name: string
  queryKey: readonly unknown[]
  /** One page of lines that the filter lets through. */
  fetch: (query: ReturnType<typeof logQuery>, wish: PageWish, signal: AbortSignal) => Promise<Page<readonly Line[]>>
  keyOf: (line: Line) => number
  eventOf: (line: Line) => string
  /** What can be done about a line, given the lines of its page and whether it is the first page. */
  actionOf?: (line: Line, lines: readonly Line[] | undefined, isFirstPage: boolean) => ReactNode
  /** The filter and the page in the address, and how to change them. */
  search: LogSearch
  go: (search: LogSearch, replace: boolean) => void
  /** What appears here once there are lines. */
  empty: string
}

function useColumns<Line extends TimedEntry>(
  props: Pick<LogTableProps<Line>, 'eventOf' | 'actionOf'>,
  lines: readonly Line[] | undefined,
  isFirstPage: boolean,
): readonly Column<Line>[] {
  const t = useText()
  const { when } = useMoments()
  const { eventOf, actionOf } = props
  return useMemo(
    () => [
      {
        key: 'time',
        header: t('Time'),
        width: timeWidths.second,
        cell: ({ time }) => <span className="tabular-nums">{when(time)}</span>,
      },
      {
        key: 'level',
        header: t('Level'),
        width: '8.5rem',
        cell: ({ level }) => <Badge mood={levelWords[level].mood}>{t(levelWords[level].text)}</Badge>,
      },
      { key: 'event', header: t('Event'), width: '14rem', cell: eventOf },
      {
        key: 'detail',
        header: t('Details'),
        cell: (line) => (
          <span className="flex flex-wrap items-center gap-3">
            <bdi lang="en" className="text-muted wrap-anywhere">
              {line.detail}
            </bdi>
            {actionOf?.(line, lines, isFirstPage) ?? null}
          </span>
        ),
      },
    ],
    [t, when, eventOf, actionOf, lines, isFirstPage],
  )
}

function Filters({ filter, onChange }: { filter: LogFilter; onChange: (filter: LogFilter) => void }) {
  const t = useText()
  return (
    <>
      <DayFilter days={filter} onChange={(days) => onChange({ ...filter, ...days })} />
      <FilterMenu
        label={t('All levels')}
        choices={[
          { value: 'warning', label: t('Warnings and errors') },
          { value: 'error', label: t('Errors only') },
        ]}
        value={filter.level === 'info' ? undefined : filter.level}
        onChange={(level) => onChange({ ...filter, level })}
      />
    </>
  )
}

/** Filter and page are only in the address, so links and the back button show the same entries. */
function useFilterInAddress({ search, go }: Pick<LogTableProps<TimedEntry>, 'search' | 'go'>) {
  const filter = useMemo(() => parseLogFilter({ ...search }), [search])
  const { page } = parseListState({ ...search }, [])
  const place = {
    value: { search: '', sort: undefined, page },
    change: (part: Partial<ListState>, how: 'push' | 'replace') =>
      go(searchOfLog(filter, part.page ?? page), how === 'replace'),
  }
  return { filter, place, change: (next: LogFilter) => go(searchOfLog(next, 0), true) }
}

/** A log with a filter for days and levels, page by page. */
export function LogTable<Line extends TimedEntry>(props: LogTableProps<Line>) {
  const { label, name, queryKey, fetch, keyOf, empty } = props
  const t = useText()
  const { timeZone, when } = useMoments()
  const { filter, place, change } = useFilterInAddress(props)
  const query = logQuery(filter, timeZone)
  const { view, error, retry } = useServerRows<Line>({
    name,
    queryKey: [...queryKey, query],
    fetch: (wish, _, signal) => fetch(query, wish, signal),
    filter: isFiltering(filter) ? { onClear: () => change(wholeLog) } : undefined,
    place,
  })
  const columns = useColumns(props, view.rows, place.value.page === 0)
  return (
    <DataTable
      label={label}
      columns={columns}
      view={view}
      rowKey={keyOf}
      rowName={({ time }) => when(time)}
      filters={<Filters filter={filter} onChange={change} />}
      empty={
        <EmptyState icon="list" title={t('No entries yet')}>
          {empty}
        </EmptyState>
      }
      failed={error === null ? undefined : <LoadFailed error={error} reset={retry} />}
    />
  )
}
