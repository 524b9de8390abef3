import { useDeferredValue, useMemo, useState } from 'react'
import { nextSort, type RowsPerPage, type Sort, searchRows, slicePage, sortRows } from './rows-in-hand.ts'
import type { Column, TableView } from './table-view.ts'

interface RowsInHand<Row> {
  /** All rows; undefined while loading. */
  readonly rows: readonly Row[] | undefined
  readonly columns: readonly Column<Row>[]
  readonly rowsPerPage: RowsPerPage
  readonly onRowsPerPage: (choice: RowsPerPage) => void
  /** The initial sort order; unsorted by default. */
  readonly firstSort?: Sort
  /** The screen's filters: which rows pass, and how to clear them. */
  readonly filter?: { readonly passes: (row: Row) => boolean; readonly onClear: () => void } | undefined
}

const textOf =
  <Row>(columns: readonly Column<Row>[]) =>
  (row: Row): string =>
    columns
      .map(({ searchText, sortBy }) => {
        if (searchText === false) return ''
        if (searchText !== undefined) return searchText(row)
        const value = typeof sortBy === 'function' ? sortBy(row) : undefined
        return typeof value === 'string' ? value : ''
      })
      .join(' ')

const none: readonly never[] = []

/** Search, sorting and paging in the browser; fast enough for 10,000 rows. */
export function useRowsInHand<Row>(given: RowsInHand<Row>): TableView<Row> {
  const { rows, columns, rowsPerPage, onRowsPerPage, filter } = given
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState(given.firstSort)
  const [page, setPage] = useState(0)
  // Typing stays responsive while many rows are searched.
  const wanted = useDeferredValue(search)
  const passes = filter?.passes
  const found = useMemo(() => {
    const passing = passes === undefined ? (rows ?? none) : (rows ?? none).filter(passes)
    return searchRows(passing, textOf(columns), wanted)
  }, [rows, passes, columns, wanted])
  const sorted = useMemo(() => {
    const value = columns.find(({ key }) => key === sort?.column)?.sortBy
    if (sort === undefined || typeof value !== 'function') return found
    return sortRows(found, { value, descending: sort.descending }, document.documentElement.lang)
  }, [found, columns, sort])
  const shown = slicePage(sorted, page, rowsPerPage)
  return {
    rows: rows === undefined ? undefined : shown.rows,
    first: shown.first,
    total: sorted.length,
    found: sorted,
    sort,
    onSort: (column) => {
      setSort(nextSort(sort, column))
      setPage(0)
    },
    rowsPerPage,
    onRowsPerPage: (choice) => {
      // The first visible row stays on the page.
      setPage(choice === 'all' ? 0 : Math.floor(shown.first / choice))
      onRowsPerPage(choice)
    },
    onPrevious: shown.page > 0 ? () => setPage(shown.page - 1) : undefined,
    onNext: shown.page < shown.pages - 1 ? () => setPage(shown.page + 1) : undefined,
    search,
    onSearch: (text) => {
      setSearch(text)
      setPage(0)
    },
    narrowed: search.trim() !== '' || filter !== undefined,
    onClear: () => {
      setSearch('')
      setPage(0)
      filter?.onClear()
    },
  }
}
