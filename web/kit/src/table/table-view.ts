import type { ReactNode } from 'react'
import type { CellSortValue, RowsPerPage, Sort } from './rows-in-hand.ts'

export interface Column<Row> {
  /** Unique in its table; the first column names the row. */
  readonly key: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** What rows in hand are sorted by; `true` where the server sorts. A column without it is not sorted. */
  readonly sortBy?: ((row: Row) => CellSortValue) | true
  /** What is searched in rows in hand; the text that it is sorted by unless told. `false`: not searched. */
  readonly searchText?: ((row: Row) => string) | false
  /** A CSS length; the columns without one share what is left. */
  readonly width?: string
  /** Numbers stand at the end of their column. */
  readonly align?: 'end'
  /** Left out where the table has less than 56 rem, but not on a card and not on paper. */
  readonly minor?: boolean
}

/** How far a table has come that shows all rows at once. */
export interface Gathering {
  /** `whole`: they are all there; `capped`: a page holds no more, and there are others. */
  readonly state: 'running' | 'stopped' | 'failed' | 'capped' | 'whole'
  readonly onStop: () => void
  readonly onGoOn: () => void
}

/** What a table shows of its rows, and how it gets to others: {@link useRowsInHand}, or put together from a server's pages. */
export interface TableView<Row> {
  /** Of this page; undefined until they are known. */
  readonly rows: readonly Row[] | undefined
  /** Place of the first of them among all, from 0; undefined where nobody counts. */
  readonly first?: number | undefined
  /** How many there are on all pages; undefined where nobody counts. */
  readonly total?: number | undefined
  /** All that were found, where they are in hand: what "Select all" selects. */
  readonly found?: readonly Row[] | undefined
  readonly sort?: Sort | undefined
  /** Pressing the head of that column; undefined where nothing can be sorted. */
  readonly onSort?: ((column: string) => void) | undefined
  readonly rowsPerPage: RowsPerPage
  readonly onRowsPerPage: (choice: RowsPerPage) => void
  /** Which of {@link rowsPerPageChoices} there are; all of them unless told. */
  readonly rowsPerPageChoices?: readonly RowsPerPage[]
  /** Undefined where there is no such page. */
  readonly onPrevious?: (() => void) | undefined
  readonly onNext?: (() => void) | undefined
  readonly search?: string
  /** Undefined: there is no search box. */
  readonly onSearch?: ((text: string) => void) | undefined
  /** Where all rows are shown at once and come one page after the other. */
  readonly gathering?: Gathering | undefined
  /** A search or a filter leaves something out: nothing found is not the same as nothing there. */
  readonly narrowed: boolean
  /** Takes every search and filter away. */
  readonly onClear?: () => void
}
