import { type CameraRow, emptyRow, rowProblems } from './camera-rows.ts'

/** The columns of the file, in the order of the template. */
const CSV_COLUMNS = [
  'name',
  'address',
  'port',
  'https',
  'username',
  'password',
  'brand',
  'model',
  'streamPath',
  'subStreamPath',
  'channel',
] as const
type Column = (typeof CSV_COLUMNS)[number]

/** A file with the columns and one example. */
export const csvTemplate = (): string =>
  toCsv([[...CSV_COLUMNS], ['Front door', '192.168.1.64', '', 'no', 'viewer', 'password', '', '', '', '', '']])

/** Text that spreadsheets would run as a formula gets an apostrophe before it. */
export const neutralized = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

export const toCsv = (lines: readonly (readonly string[])[]): string =>
  `${lines.map((cells) => cells.map(toCell).join(',')).join('\r\n')}\r\n`

function toCell(text: string): string {
  const safe = neutralized(text)
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A cell, quoted or not, and what ends it. */
const CELLS = {
  ',': /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/y,
  ';': /("(?:[^"]|"")*"|[^;\r\n]*)(;|\r?\n|$)/y,
} as const

/** The cells of a file (RFC 4180), with commas or semicolons between them. Empty lines are left out. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const source = text.replace(/^\uFEFF/, '').replaceAll(/\r(?!\n)/g, '\n')
  const cells = new RegExp(CELLS[/^[^"\r\n,]*;/.test(source) ? ';' : ','])
  const lines: string[][] = [[]]
  while (cells.lastIndex < source.length) {
    const [all, cell = '', end = ''] = cells.exec(source) ?? []
    // Text after a closing quote belongs to no cell.
    if (all === undefined) break
    lines.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end.endsWith('\n')) lines.push([])
  }
  return lines.filter((line) => line.some((one) => one.trim() !== ''))
}

/** What a file says: its cameras, or why it can't be read. */
export type CameraFile =
  | { readonly kind: 'rows'; readonly rows: readonly CameraRow[]; readonly problems: readonly RowProblem[] }
  | { readonly kind: 'noColumns' | 'noRows' }

/** A value that can't be sent; `line` is counted as spreadsheets do. */
export interface RowProblem {
  readonly line: number
  readonly message: string
}

const YES = new Set(['yes', 'true', '1'])

export function readCameraFile(text: string): CameraFile {
  const [head = [], ...lines] = parseCsv(text)
  const columns = head.map((name) => CSV_COLUMNS.find((column) => column.toLowerCase() === name.trim().toLowerCase()))
  if (!columns.includes('name') || !columns.includes('address')) return { kind: 'noColumns' }
  if (lines.length === 0) return { kind: 'noRows' }
  const rows = lines.map((cells): CameraRow => {
    const entries = columns.flatMap((column, at) => (column === undefined ? [] : [[column, cells[at] ?? ''] as const]))
    return toRow(Object.fromEntries(entries))
  })
  const problems = rows.flatMap((row, at) =>
    Object.values(rowProblems(row)).map((message) => ({ line: at + 2, message })),
  )
  return { kind: 'rows', rows, problems }
}

/** An apostrophe that was put before a formula is taken away again; passwords stay as they are. */
function toRow(values: { readonly [column in Column]?: string }): CameraRow {
  const text = (column: Column) => (values[column] ?? '').trim().replace(/^'(?=[=+\-@])/, '')
  return {
    ...emptyRow(),
    name: text('name'),
    address: text('address'),
    port: text('port'),
    https: YES.has(text('https').toLowerCase()) ? 'yes' : '',
    username: text('username'),
    password: values.password ?? '',
    brand: text('brand'),
    model: text('model'),
    streamPath: text('streamPath'),
    subStreamPath: text('subStreamPath'),
    channel: text('channel'),
  }
}
