import type { ReportGiven } from '@sightline/contract/reports'
import { csvRow } from '../audit-logs/index.ts'

export type Cell = string | number | boolean | null

/** What a report says: rows of cells under the names of its columns. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

interface Frame extends Pick<ReportGiven, 'type' | 'from' | 'till'> {
  readonly timeZone: string
  readonly madeAt: string
}

/** A format that can be written; a byte order mark says UTF-8 to programs that would not guess it. */
export interface FileFormat {
  readonly contentType: string
  write(table: Table, frame: Frame): string
}

const csv: FileFormat = {
  contentType: 'text/csv; charset=utf-8; header=present',
  write: ({ columns, rows }) => `\uFEFF${[columns, ...rows].map(csvRow).join('')}`,
}

const json: FileFormat = {
  contentType: 'application/json; charset=utf-8',
  write: ({ columns, rows }, frame) =>
    JSON.stringify({
      ...frame,
      rows: rows.map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? null]))),
    }),
}

export const fileFormats = { csv, json } as const
export type WrittenFormat = keyof typeof fileFormats
