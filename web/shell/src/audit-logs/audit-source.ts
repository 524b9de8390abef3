import type { Page, PageWish } from '@sightline/client'
import type { AuditGroup, AuditLog, AuditLogMetadata } from '@sightline/contract/audit-logs'
import type { filterQuery } from './audit-filter.ts'

/** Whose log it is. Actions of a dealer have another label in the customer's log than in the dealer's own. */
export type LogKind = 'account' | 'dealer'

/** An entry. Dealers read no changed values. */
export type LogEntry = AuditLogMetadata & Partial<Pick<AuditLog, 'before' | 'after'>>

export type AuditQuery = ReturnType<typeof filterQuery>

export interface RecordedAction {
  readonly action: string
  readonly group: AuditGroup
}

/** Where the entries of a log come from, and the options of its filters. */
export interface AuditSource {
  readonly kind: LogKind
  readonly queryKey: readonly unknown[]
  readonly list: (query: AuditQuery, wish: PageWish, signal: AbortSignal) => Promise<Page<readonly LogEntry[]>>
  /** The actions that the log can contain. */
  readonly actions: readonly RecordedAction[]
  /** Undefined: no such filter. */
  readonly people: readonly { readonly userId: number; readonly name: string }[] | undefined
  readonly cameras: readonly { readonly cameraId: number; readonly name: string }[] | undefined
  /** Undefined: can't be exported. */
  readonly exportFile: ((query: AuditQuery & { readonly format: 'csv' | 'json' }) => Promise<Blob>) | undefined
}

/** How the reader's screens write times. */
export interface AuditTimes {
  readonly timeZone: string
  readonly when: (time: string | Date) => string
}
