import type { Page, PageWish } from '@sightline/client'
import { type RowsPerPage, type Sort, type TableView, useRowsPerPage } from '@sightline/kit/table'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type ListState, type ListStateStore, useLocalListState } from './list-state.ts'
import { useTyped } from './use-typed.ts'

/** The maximum that the server returns at once. */
const AT_ONCE = 500
/** The maximum rows in a page: browsers become slow with many more. */
const MOST_SHOWN = 10_000
const FRESH_MS = 5000

interface ServerRows<Row> {
  /** The key under which this browser stores the rows per page. */
  readonly name: string
  /** The query key of the list, with its filters. */
  readonly queryKey: readonly unknown[]
  /** One page. `search` is empty without a search. */
  readonly fetch: (wish: PageWish, search: string, signal: AbortSignal) => Promise<Page<readonly Row[]>>
  /**
   * `column` is the key of a column; the value is the server's name for that order. Without it, the server's default
   * order applies.
   */
  readonly firstSort?: Sort
  readonly searches?: true
  /** If filters hide rows: how to clear the filters, and the names of the search fields. */
  readonly filter?: { readonly onClear: () => void } | undefined
  /** Where search, order and page are stored; by default only in the screen. */
  readonly place?: ListStateStore
}

const turned = (now: Sort | undefined, column: string): Sort =>
  now?.column === column ? { column, descending: !now.descending } : { column, descending: false }

type Asked<Row> = ServerRows<Row> & {
  readonly q: string
  readonly order: string | undefined
  readonly rows: RowsPerPage
}

/** The pages loaded so far, in list order. */
function usePages<Row>({ queryKey, fetch, q, order, rows }: Asked<Row>) {
  const limit = rows === 'all' ? AT_ONCE : rows
  return useInfiniteQuery({
    queryKey: [...queryKey, { q, order, limit }],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      fetch({ limit, count: true, pageToken: pageParam, ...(order === undefined ? {} : { sort: order }) }, q, signal),
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}
type Pages<Row> = ReturnType<typeof usePages<Row>>

/** Loads page after page until there are enough. A failed page waits for another attempt. */
function useAtLeast<Row>(found: Pages<Row>, wanted: number): void {
  const { data, hasNextPage, isFetchingNextPage, isPlaceholderData, error, fetchNextPage } = found
  const known = data?.pages.length ?? 0
  const asksOn =
    known > 0 && known < wanted && hasNextPage && !isFetchingNextPage && !isPlaceholderData && error === null
  useEffect(() => {
    if (asksOn) void fetchNextPage()
  }, [asksOn, fetchNextPage])
}

type Shown<Row> = Pick<TableView<Row>, 'rows' | 'first' | 'onPrevious' | 'onNext' | 'gathering'>

/** Loads all rows, up to the maximum of a page. The user can stop it. */
function useAll<Row>(found: Pages<Row>, { on, question }: { on: boolean; question: string }): Shown<Row> {
  const [stopped, stop] = useState<string>()
  const isStopped = stopped === question
  const pages = found.data?.pages ?? []
  useAtLeast(found, on && !isStopped ? MOST_SHOWN / AT_ONCE : 0)
  const stateNow = () => {
    if (!found.hasNextPage) return 'whole'
    if (pages.length >= MOST_SHOWN / AT_ONCE) return 'capped'
    if (found.error !== null) return 'failed'
    return isStopped ? 'stopped' : 'running'
  }
  const onGoOn = () => {
    stop(undefined)
    if (found.error !== null) void found.fetchNextPage()
  }
  return {
    rows: found.data === undefined ? undefined : pages.flatMap((one) => one.rows),
    first: 0,
    gathering: { state: stateNow(), onStop: () => stop(question), onGoOn },
  }
}

interface Turning {
  /** Undefined if all rows are shown. */
  readonly rowsPerPage: number | undefined
  readonly page: number
  readonly turnTo: (page: number) => void
}

/** The rows of the current page, and navigation to the pages around it. */
function usePage<Row>(found: Pages<Row>, { rowsPerPage, page, turnTo }: Turning): Shown<Row> {
  // An address may point to a later page. The pages before it are loaded first, because each page gives the token of
  // the next.
  useAtLeast(found, rowsPerPage === undefined ? 0 : page + 1)
  const pages = found.data?.pages
  const known = pages?.length ?? 0
  const isComing = page >= known && (found.hasNextPage || found.isPending) && found.error === null
  const at = Math.min(page, Math.max(0, known - 1))
  const next = async () => {
    if (at + 1 >= known) await found.fetchNextPage()
    turnTo(at + 1)
  }
  return {
    rows: isComing ? undefined : pages?.[at]?.rows,
    first: at * (rowsPerPage ?? 0),
    onPrevious: at > 0 ? () => turnTo(at - 1) : undefined,
    onNext: at + 1 < known || found.hasNextPage ? () => void next() : undefined,
  }
}

const orderOf = (sort: Sort | undefined): string | undefined =>
  sort === undefined ? undefined : `${sort.descending ? '-' : ''}${sort.column}`

/** Search and order, in the form that a table uses. */
function useSearchAndSort<Row>(given: ServerRows<Row>, { value, change }: ListStateStore) {
  const sort = value.sort ?? given.firstSort
  const [typed, type] = useTyped(value.search, (search) => change({ search, page: 0 }, 'replace'))
  return {
    sort,
    onSort:
      given.firstSort === undefined
        ? undefined
        : (column: string) => change({ sort: turned(sort, column), page: 0 }, 'push'),
    ...(given.searches === undefined ? {} : { search: typed, onSearch: type }),
    narrowed: value.search.trim() !== '' || given.filter !== undefined,
    onClear: () => {
      type('')
      // One history entry, not two.
      if (given.place === undefined || given.filter === undefined) change({ search: '', page: 0 }, 'replace')
      given.filter?.onClear()
    },
  }
}

const startOfList: ListState = { search: '', sort: undefined, page: 0 }

/**
 * Rows for a `DataTable` that the server sorts, searches and pages. "All" shows the first 500 as soon as they are
 * loaded and continues in the background, up to 10,000.
 */
export function useServerRows<Row>(given: ServerRows<Row>) {
  const [rowsPerPage, setRowsPerPage] = useRowsPerPage(given.name)
  const local = useLocalListState(JSON.stringify(given.queryKey), startOfList)
  const place = given.place ?? local
  const { page, search, sort } = place.value
  const q = search.trim()
  const order = orderOf(sort ?? given.firstSort)
  const found = usePages({ ...given, q, order, rows: rowsPerPage })
  const isAll = rowsPerPage === 'all'
  const all = useAll(found, { on: isAll, question: JSON.stringify([given.queryKey, q, order]) })
  const one = usePage(found, {
    rowsPerPage: isAll ? undefined : rowsPerPage,
    page,
    turnTo: (next) => place.change({ page: next }, 'push'),
  })
  const { data, error, refetch } = found
  const view: TableView<Row> = {
    ...(isAll ? all : one),
    ...useSearchAndSort(given, place),
    total: data?.pages[0]?.total,
    rowsPerPage,
    onRowsPerPage: (choice) => {
      setRowsPerPage(choice)
      place.change({ page: 0 }, 'replace')
    },
  }
  return { view, error: data === undefined ? error : null, retry: () => void refetch() }
}
