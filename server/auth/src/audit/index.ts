export { auditWriter, type WriteAudit } from './store.ts'
