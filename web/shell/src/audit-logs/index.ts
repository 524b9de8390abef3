export { AuditLogTable } from './AuditLogTable.tsx'
export { dealerActions } from './action-labels.ts'
export type { AuditSource } from './audit-source.ts'
export { type Text as AuditText, useText as useAuditText } from './text.ts'
