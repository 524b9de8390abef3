export { auditWriter, type SignInRecord, type WriteAudit } from './store.ts'
