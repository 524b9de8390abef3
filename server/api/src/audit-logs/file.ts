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
 * A cell as RFC 4180 has it. Programs that calculate take a text that begins with one of these characters for a formula,
 * which may send the rest of the table away; behind an apostrophe it is text.
 */
function cell(value: unknown): string {
  const raw = value === null || value === undefined ? '' : String(value)
  const text = typeof value === 'string' && /^[=+\-@\t\r\n]/.test(raw) ? `'${raw}` : raw
  // Also with what stands between cells where decimals have a comma.
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line of a CSV file: safe to open in programs that calculate. */
export const csvRow = (cells: readonly unknown[]): string => `${cells.map(cell).join(',')}\r\n`

const cutSentence = `Only the newest ${MAX_EXPORTED} lines are here: ask for a shorter span of time to have the others`

/** A file in the making: what it begins with, its lines in portions, and its end, which says so where lines are missing. */
export interface FileFormat {
  readonly contentType: string
  begin(madeAt: string): string
  /** `first`: nothing was written between the beginning and these. */
  portion(lines: readonly AuditLog[], first: boolean): string
  end(isCut: boolean): string
}

/** RFC 4180 in UTF-8, which a byte order mark says to programs that would not guess it. */
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
