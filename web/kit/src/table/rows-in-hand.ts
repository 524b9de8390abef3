import { fold } from '../option-search.ts'

/** The value that a column is sorted by; unknown values come last in both directions. */
export type CellSortValue = string | number | boolean | null | undefined

export interface Sort {
  /** The column's key. */
  readonly column: string
  readonly descending: boolean
}

/** Decision 16. */
export const rowsPerPageChoices = [10, 25, 50, 100, 'all'] as const
export type RowsPerPage = (typeof rowsPerPageChoices)[number]

/** The next sort state when a column header is clicked: ascending, descending, unsorted. */
export function nextSort(now: Sort | undefined, column: string): Sort | undefined {
  if (now?.column !== column) return { column, descending: false }
  return now.descending ? undefined : { column, descending: true }
}

const isUnknown = (value: CellSortValue): value is null | undefined | '' =>
  value === null || value === undefined || value === ''

/** Natural order: `Camera 10` after `Camera 9`, ignoring accents and case. */
function compareBy(language: string): (a: CellSortValue, b: CellSortValue) => number {
  const texts = new Intl.Collator(language === '' ? undefined : language, { numeric: true, sensitivity: 'base' })
  return (a, b) =>
    typeof a === 'string' || typeof b === 'string' ? texts.compare(String(a), String(b)) : Number(a) - Number(b)
}

/** The rows sorted by `by`; equal rows keep their order. `language` is a BCP 47 tag. */
export function sortRows<Row>(
  rows: readonly Row[],
  by: { value: (row: Row) => CellSortValue; descending: boolean },
  language: string,
): readonly Row[] {
  const compare = compareBy(language)
  const keyed = rows.map((row) => ({ row, value: by.value(row) }))
  const known = keyed.filter(({ value }) => !isUnknown(value))
  const unknown = keyed.filter(({ value }) => isUnknown(value))
  const sorted = known.toSorted((a, b) => (by.descending ? compare(b.value, a.value) : compare(a.value, b.value)))
  return [...sorted, ...unknown].map(({ row }) => row)
}

/** The rows whose text contains every word of `query`, ignoring accents and case. */
export function searchRows<Row>(rows: readonly Row[], textOf: (row: Row) => string, query: string): readonly Row[] {
  const words = fold(query)
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return rows
  return rows.filter((row) => {
    const text = fold(textOf(row))
    return words.every((word) => text.includes(word))
  })
}

export interface PageOfRows<Row> {
  readonly rows: readonly Row[]
  /** Index of the page's first row, from 0. */
  readonly first: number
  /** From 0; the last page if the requested one is beyond it, for example after rows were deleted. */
  readonly page: number
  readonly pages: number
}

export function slicePage<Row>(rows: readonly Row[], page: number, perPage: RowsPerPage): PageOfRows<Row> {
  if (perPage === 'all') return { rows, first: 0, page: 0, pages: 1 }
  const pages = Math.max(1, Math.ceil(rows.length / perPage))
  const at = Math.min(Math.max(0, page), pages - 1)
  const first = at * perPage
  return { rows: rows.slice(first, first + perPage), first, page: at, pages }
}
