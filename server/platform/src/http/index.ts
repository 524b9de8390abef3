export type { AnswerMetrics } from './answer-metrics.ts'
export type { HttpOptions, Origin } from './call.ts'
export type { Change, ChangeScope } from './commit/change.ts'
export { type IdempotencyStore, idempotencyStore } from './commit/idempotency-store.ts'
export { type HttpServer, openHttp } from './register.ts'
export { withStatementTimeout } from './reply/statement-timeout.ts'
export { IN_WORDS } from './request/field-faults.ts'
export { cutTarget } from './request/request-target.ts'
export { type StorePage, type StoreQuestion, toStorePage } from './request/store-page.ts'
export { isValidText, STORABLE } from './request/valid-text.ts'
export {
  type Handler,
  isRawReply,
  type RawReply,
  type Request,
  type ServedRoute,
  type StreamedReply,
  serve,
  serveChange,
  withChangeDeps,
} from './serve.ts'
