export type { Answered } from './answered.ts'
export { confirmCaller, forCalls } from './deciding.ts'
export { type IdempotencyStore, idempotencyStore } from './idempotency-store.ts'
export { inTime } from './in-time.ts'
export { type HttpOptions, type HttpServer, type Origin, openHttp } from './register.ts'
export { cutTarget } from './request-target.ts'
export {
  type Handler,
  isRawReply,
  type RawReply,
  type Request,
  type Served,
  type StreamedReply,
  serve,
} from './serve.ts'
export { isStorable, STORABLE } from './storable.ts'
export { type StorePage, type StoreQuestion, toStorePage } from './store-page.ts'
