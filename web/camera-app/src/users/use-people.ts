import { getUsers, type Person } from '@sightline/contract/sub-users'
import { type RowsPerPage, type Sort, type TableView, useRowsPerPage } from '@sightline/kit/table'
import { useApplication } from '@sightline/shell'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** The most that the server gives at once. */
const AT_ONCE = 500
const TYPED_MS = 200

/** The text once nobody has typed for a moment: each of them is a question to the server. */
function useSettled(text: string): string {
  const [settled, settle] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => settle(text), TYPED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

export type BlockedFilter = 'true' | 'false' | undefined

interface Question {
  readonly q: string
  readonly blocked: BlockedFilter
  readonly sort: Sort | undefined
  readonly rowsPerPage: RowsPerPage
}

/** The pages that were asked for so far, in the order of the list. */
function usePages({ q, blocked, sort, rowsPerPage }: Question) {
  const { client } = useApplication()
  const limit = rowsPerPage === 'all' ? AT_ONCE : rowsPerPage
  const order = sort === undefined ? undefined : `${sort.descending ? '-' : ''}${sort.column}`
  return useInfiniteQuery({
    queryKey: ['people', { q, blocked, order, limit }],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(q === '' ? {} : { q }), ...(blocked === undefined ? {} : { blocked }) }
      const wish = { limit, count: true, pageToken: pageParam, ...(order === undefined ? {} : { sort: order }) }
      return client.page(getUsers, { query }, wish, { signal })
    },
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    staleTime: 5000,
  })
}

const FIRST_SORT: Sort = { column: 'name', descending: false }
const turned = (now: Sort | undefined, column: string): Sort =>
  now?.column === column ? { column, descending: !now.descending } : { column, descending: false }

/**
 * The people of the account as the server sorts, searches and pages them. "All" shows the first 500 as soon as they are
 * there and asks for the others while they are looked at.
 */
export function usePeople() {
  const [rowsPerPage, setRowsPerPage] = useRowsPerPage('users')
  const [search, setSearch] = useState('')
  const [blocked, setBlocked] = useState<BlockedFilter>()
  const [sort, setSort] = useState<Sort>(FIRST_SORT)
  const [page, setPage] = useState(0)
  const q = useSettled(search.trim())
  const found = usePages({ q, blocked, sort, rowsPerPage })
  const { data, error, hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage, refetch } = found
  const all = rowsPerPage === 'all'
  const asksOn = all && hasNextPage && !isFetchingNextPage && !isPlaceholderData && error === null
  useEffect(() => {
    if (asksOn) void fetchNextPage()
  }, [asksOn, fetchNextPage])

  const pages = data?.pages
  const at = Math.min(page, Math.max(0, (pages?.length ?? 1) - 1))
  const rows = all ? pages?.flatMap((one) => one.rows) : pages?.[at]?.rows
  const toStart = () => setPage(0)
  const next = async () => {
    if (at + 1 >= (pages?.length ?? 0)) await fetchNextPage()
    setPage(at + 1)
  }
  const hasNext = !all && (at + 1 < (pages?.length ?? 0) || hasNextPage)
  const view: TableView<Person> = {
    rows,
    first: all ? 0 : at * rowsPerPage,
    total: pages?.[0]?.total,
    sort,
    onSort: (column) => {
      setSort(turned(sort, column))
      toStart()
    },
    rowsPerPage,
    onRowsPerPage: (choice) => {
      setRowsPerPage(choice)
      toStart()
    },
    onPrevious: !all && at > 0 ? () => setPage(at - 1) : undefined,
    onNext: hasNext ? () => void next() : undefined,
    search,
    onSearch: (text) => {
      setSearch(text)
      toStart()
    },
    narrowed: search.trim() !== '' || blocked !== undefined,
    onClear: () => {
      setSearch('')
      setBlocked(undefined)
      toStart()
    },
  }
  const filterBlocked = (choice: BlockedFilter) => {
    setBlocked(choice)
    toStart()
  }
  return { view, blocked, filterBlocked, error: data === undefined ? error : null, retry: () => void refetch() }
}
