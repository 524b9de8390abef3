import type { Page, PageWish } from '@sightline/client'
import { type RowsPerPage, type Sort, type TableView, useRowsPerPage } from '@sightline/kit/table'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** The most that the server gives at once. */
const AT_ONCE = 500
const TYPED_MS = 200
const FRESH_MS = 5000

interface ServerRows<Row> {
  /** Under this name the rows per page are remembered in this browser. */
  readonly name: string
  /** Where the list stands among the queries, with its filters. */
  readonly queryKey: readonly unknown[]
  /** One page; `search` is empty where nothing is searched. */
  readonly fetch: (wish: PageWish, search: string, signal: AbortSignal) => Promise<Page<readonly Row[]>>
  /** `column` is the key of a column, and what the server calls that order. Without it the server's order stays. */
  readonly firstSort?: Sort
  readonly searches?: true
  /** Where filters leave something out: how to take them away. */
  readonly filter?: { readonly onClear: () => void } | undefined
}

/** The text once nobody has typed for a moment: each of them is a question to the server. */
function useSettled(text: string): string {
  const [settled, settle] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => settle(text), TYPED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

const turned = (now: Sort | undefined, column: string): Sort =>
  now?.column === column ? { column, descending: !now.descending } : { column, descending: false }

type Asked<Row> = ServerRows<Row> & {
  readonly q: string
  readonly order: string | undefined
  readonly rows: RowsPerPage
}

/** The pages that were asked for so far, in the order of the list. */
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

/** Asks for page after page where all rows are shown at once; a page that failed waits for another try. */
function useEveryPage(found: ReturnType<typeof usePages>, all: boolean): void {
  const { hasNextPage, isFetchingNextPage, isPlaceholderData, error, fetchNextPage } = found
  const asksOn = all && hasNextPage && !isFetchingNextPage && !isPlaceholderData && error === null
  useEffect(() => {
    if (asksOn) void fetchNextPage()
  }, [asksOn, fetchNextPage])
}

/** The page shown; another question begins on the first one. */
function usePlace(question: string) {
  const [place, setPlace] = useState({ question, page: 0 })
  return [place.question === question ? place.page : 0, (page: number) => setPlace({ question, page })] as const
}

interface Turning {
  readonly rowsPerPage: RowsPerPage
  readonly page: number
  readonly setPage: (page: number) => void
}

/** The rows of the page that is looked at, or of all pages, and the ways to the pages around. */
function useShown<Row>(
  found: ReturnType<typeof usePages<Row>>,
  { rowsPerPage, page, setPage }: Turning,
): Pick<TableView<Row>, 'rows' | 'first' | 'onPrevious' | 'onNext'> {
  const all = rowsPerPage === 'all'
  useEveryPage(found, all)
  const pages = found.data?.pages
  if (all) return { rows: pages?.flatMap((one) => one.rows), first: 0 }
  const known = pages?.length ?? 0
  const at = Math.min(page, Math.max(0, known - 1))
  const next = async () => {
    if (at + 1 >= known) await found.fetchNextPage()
    setPage(at + 1)
  }
  return {
    rows: pages?.[at]?.rows,
    first: at * rowsPerPage,
    onPrevious: at > 0 ? () => setPage(at - 1) : undefined,
    onNext: at + 1 < known || found.hasNextPage ? () => void next() : undefined,
  }
}

/**
 * Rows that the server sorts, searches and pages, for a `DataTable`. "All" shows the first 500 as soon as they are there
 * and asks for the others while they are looked at.
 */
export function useServerRows<Row>(given: ServerRows<Row>) {
  const [rowsPerPage, setRowsPerPage] = useRowsPerPage(given.name)
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState(given.firstSort)
  const q = useSettled(search.trim())
  const order = sort === undefined ? undefined : `${sort.descending ? '-' : ''}${sort.column}`
  const found = usePages({ ...given, q, order, rows: rowsPerPage })
  const [page, setPage] = usePlace(JSON.stringify([given.queryKey, q, order, rowsPerPage]))
  const { data, error, refetch } = found
  const shown = useShown(found, { rowsPerPage, page, setPage })
  const view: TableView<Row> = {
    ...shown,
    total: data?.pages[0]?.total,
    sort,
    onSort: given.firstSort === undefined ? undefined : (column) => setSort(turned(sort, column)),
    rowsPerPage,
    onRowsPerPage: setRowsPerPage,
    ...(given.searches === undefined ? {} : { search, onSearch: setSearch }),
    narrowed: search.trim() !== '' || given.filter !== undefined,
    onClear: () => {
      setSearch('')
      given.filter?.onClear()
    },
  }
  return { view, error: data === undefined ? error : null, retry: () => void refetch() }
}
