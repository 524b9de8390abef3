export type { AnswerMetrics } from './answered.ts'
export type { HttpOptions, Origin } from './call.ts'
export type { Change, ChangeScope } from './commit/change.ts'
export { type IdempotencyStore, idempotencyStore } from './commit/idempotency-store.ts'
export { type HttpServer, openHttp } from './register.ts'
export { withStatementTimeout } from './reply/in-time.ts'
export { cutTarget } from './request/request-target.ts'
export { isValidText, STORABLE } from './request/storable.ts'
export { type StorePage, type StoreQuestion, toStorePage } from './request/store-page.ts'
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
