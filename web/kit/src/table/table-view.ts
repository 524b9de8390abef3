import type { ReactNode } from 'react'
import type { CellSortValue, RowsPerPage, Sort } from './rows-in-hand.ts'

/** Widths of columns with a date and a time on one line, in all languages. */
export const timeWidths = { minute: '13rem', second: '15rem' } as const

export interface Column<Row> {
  /** Unique in its table; the first column names the row. */
  readonly key: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** The value for client-side sorting; `true` if the server sorts. Undefined: not sortable. */
  readonly sortBy?: ((row: Row) => CellSortValue) | true
  /** The text for client-side search; the sort value by default. `false`: not searched. */
  readonly searchText?: ((row: Row) => string) | false
  /** A CSS length; columns without one share the remaining width. */
  readonly width?: string
  /** Aligns numbers to the end of the column. */
  readonly align?: 'end'
  /** Hidden if the table is narrower than 56 rem, but not on cards or in print. */
  readonly minor?: boolean
}

/** The progress of a table that loads all rows. */
export interface Gathering {
  /** `whole`: all rows are loaded; `capped`: the limit is reached, and there are more rows. */
  readonly state: 'running' | 'stopped' | 'failed' | 'capped' | 'whole'
  readonly onStop: () => void
  readonly onGoOn: () => void
}

/** The rows that a table shows and how to change them: from {@link useRowsInHand}, or built from a server's pages. */
export interface TableView<Row> {
  /** The page's rows; undefined while loading. */
  readonly rows: readonly Row[] | undefined
  /** Index of the first row among all rows, from 0; undefined if unknown. */
  readonly first?: number | undefined
  /** Number of rows on all pages; undefined if unknown. */
  readonly total?: number | undefined
  /** All matching rows, if they are in the browser: "Select all" selects them. */
  readonly found?: readonly Row[] | undefined
  readonly sort?: Sort | undefined
  /** Called when a column header is clicked; undefined if the table can't be sorted. */
  readonly onSort?: ((column: string) => void) | undefined
  readonly rowsPerPage: RowsPerPage
  readonly onRowsPerPage: (choice: RowsPerPage) => void
  /** The available {@link rowsPerPageChoices}; all by default. */
  readonly rowsPerPageChoices?: readonly RowsPerPage[]
  /** Undefined if there is no such page. */
  readonly onPrevious?: (() => void) | undefined
  readonly onNext?: (() => void) | undefined
  readonly search?: string
  /** Undefined if there is no search box. */
  readonly onSearch?: ((text: string) => void) | undefined
  /** Defined if the table loads all rows page by page. */
  readonly gathering?: Gathering | undefined
  /** A search or filter is active, so no rows means no results instead of an empty list. */
  readonly narrowed: boolean
  /** Clears search and filters. */
  readonly onClear?: () => void
}
