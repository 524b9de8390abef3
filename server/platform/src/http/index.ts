export { type IdempotencyStore, idempotencyStore } from './idempotency-store.ts'
export type { CallLimit } from './rate-limit.ts'
export { type HttpOptions, type HttpServer, type Origin, openHttp } from './register.ts'
export { type Handler, isRawReply, type RawReply, type Request, type Served, serve } from './serve.ts'
