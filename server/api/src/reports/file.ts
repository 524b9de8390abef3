import type { Report, ReportInput } from '@sightline/contract/reports'
import type { BrandTheme } from '@sightline/contract/theme'
import { toDateTime } from '@sightline/contract/wire'
import { csvRow } from '../audit-logs/index.ts'
import { type PrintOrder, printReport } from './pdf/index.ts'

export type ReportCell = string | number | boolean | null

/** The content of a report: rows of cells and the names of the columns. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly ReportCell[])[]
}

/** The data around the rows. */
export interface ReportFrame extends Pick<ReportInput, 'type' | 'from' | 'till'> {
  readonly timeZone: string
  /** Milliseconds since 1970. */
  readonly madeAt: number
  /** The layout: name of the account or reseller, the reader's language, the brand's look. */
  readonly reader: { readonly organisation: string; readonly language: string; readonly theme: BrandTheme }
}

/** A file format. A byte order mark identifies UTF-8 for programs that wouldn't detect it. */
interface FileFormat {
  readonly contentType: string
  write(table: Table, frame: ReportFrame): string | Promise<Buffer>
}

const csv: FileFormat = {
  contentType: 'text/csv; charset=utf-8; header=present',
  write: ({ columns, rows }) => `\uFEFF${[columns, ...rows].map(csvRow).join('')}`,
}

const json: FileFormat = {
  contentType: 'application/json; charset=utf-8',
  write: ({ columns, rows }, { type, from, till, timeZone, madeAt }) =>
    JSON.stringify({
      type,
      from,
      till,
      timeZone,
      madeAt: toDateTime(madeAt),
      rows: rows.map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? null]))),
    }),
}

const pdf: FileFormat = {
  contentType: 'application/pdf',
  write: (table, { reader, type, ...frame }) =>
    printReport({ ...table, ...frame, ...reader, type: type as PrintOrder['type'] }),
}

const fileFormats: Readonly<Record<Report['format'], FileFormat>> = { csv, json, pdf }

export const getContentType = (format: Report['format']): string => fileFormats[format].contentType

export const writeFile = async (format: Report['format'], table: Table, frame: ReportFrame): Promise<Buffer> =>
  Buffer.from(await fileFormats[format].write(table, frame))
