import { type AuditLog, MAX_EXPORTED } from '@sightline/contract/audit-logs'

const header = [
  'time',
  'user',
  'userId',
  'action',
  'group',
  'targetKind',
  'targetId',
  'target',
  'address',
  'clientId',
  'supportSession',
  'staff',
  'staffId',
  'apiKeyId',
  'sealed',
  'sequence',
  'auditLogId',
  'before',
  'after',
] as const

const cellsOf = (line: AuditLog): readonly unknown[] => [
  line.time,
  line.user,
  line.userId,
  line.action,
  line.group,
  line.target?.kind,
  line.target?.id,
  line.target?.name,
  line.address,
  line.clientId,
  line.supportSession,
  line.staff?.name,
  line.staff?.staffId,
  line.apiKeyId,
  line.sealed,
  line.sequence,
  line.auditLogId,
  line.before === null ? null : JSON.stringify(line.before),
  line.after === null ? null : JSON.stringify(line.after),
]

/**
 * A cell according to RFC 4180. Spreadsheets run a text that starts with one of these characters as a formula, which
 * could send the table's data elsewhere; an apostrophe makes it plain text.
 */
function cell(value: unknown): string {
  const raw = value === null || value === undefined ? '' : String(value)
  const text = typeof value === 'string' && /^[=+\-@\t\r\n]/.test(raw) ? `'${raw}` : raw
  // Also with the cell separator of locales with a decimal comma.
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A row of a CSV file that is safe to open in a spreadsheet. */
export const csvRow = (cells: readonly unknown[]): string => `${cells.map(cell).join(',')}\r\n`

const cutSentence = `Only the newest ${MAX_EXPORTED} entries are included. Choose a shorter time range to export the others.`

/** A file that is written in parts: its start, its rows in batches, and its end, which says so if rows are missing. */
export interface FileFormat {
  readonly contentType: string
  begin(madeAt: string): string
  /** `first`: there are no rows before these. */
  portion(lines: readonly AuditLog[], first: boolean): string
  end(isCut: boolean): string
}

/** RFC 4180 in UTF-8, with a byte order mark for programs that wouldn't detect it. */
const csv: FileFormat = {
  contentType: 'text/csv; charset=utf-8; header=present',
  begin: () => `\uFEFF${csvRow(header)}`,
  portion: (lines) => lines.map((line) => csvRow(cellsOf(line))).join(''),
  end: (isCut) => (isCut ? csvRow([cutSentence]) : ''),
}

const json: FileFormat = {
  contentType: 'application/json; charset=utf-8',
  begin: (madeAt) => `{"madeAt":${JSON.stringify(madeAt)},"lines":[`,
  portion: (lines, first) =>
    `${first || lines.length === 0 ? '' : ','}${lines.map((line) => JSON.stringify(line)).join(',')}`,
  end: (isCut) => `],"isCut":${isCut}${isCut ? `,"note":${JSON.stringify(cutSentence)}` : ''}}`,
}

export const fileFormats = { csv, json } as const
