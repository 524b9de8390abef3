export { addressGroup } from './address-group.ts'
export { type LimitedCall, limitedCall, type OverloadReason, toOverloadError } from './overload-error.ts'
export { createRateLimiter, type RateLimit, type RateLimiter } from './rate-limiter.ts'
export {
  createSemaphore,
  type Permit,
  type Semaphore,
  type SemaphoreBounds,
  type SemaphoreFull,
  type SemaphoreLimits,
} from './semaphore.ts'
