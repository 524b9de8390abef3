import { fold } from '../option-search.ts'

/** What a column is compared by; nothing known comes last, whichever way it is sorted. */
export type CellSortValue = string | number | boolean | null | undefined

export interface Sort {
  /** The key of the column. */
  readonly column: string
  readonly descending: boolean
}

/** Decision 16. */
export const rowsPerPageChoices = [10, 25, 50, 100, 'all'] as const
export type RowsPerPage = (typeof rowsPerPageChoices)[number]

/** The next state of a sort when the head of a column is pressed: up, down, as it came. */
export function nextSort(now: Sort | undefined, column: string): Sort | undefined {
  if (now?.column !== column) return { column, descending: false }
  return now.descending ? undefined : { column, descending: true }
}

const isUnknown = (value: CellSortValue): value is null | undefined | '' =>
  value === null || value === undefined || value === ''

/** Texts as people order them: `Camera 10` after `Camera 9`, accents and case aside. */
function compareBy(language: string): (a: CellSortValue, b: CellSortValue) => number {
  const texts = new Intl.Collator(language === '' ? undefined : language, { numeric: true, sensitivity: 'base' })
  return (a, b) =>
    typeof a === 'string' || typeof b === 'string' ? texts.compare(String(a), String(b)) : Number(a) - Number(b)
}

/** The rows in the order of `by`; equal ones stay as they came. `language` is a BCP 47 tag. */
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

/** The rows in whose text every word of `query` is found; accents and case do not matter. */
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
  /** Of the first of them, from 0. */
  readonly first: number
  /** From 0; the last one where `page` was beyond it, as after rows were deleted. */
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
