export { addressGroup } from './address-group.ts'
export { createRateLimiter, type RateLimit, type RateLimiter } from './rate-limiter.ts'
export { type LimitedCall, limitedCall, type OverloadReason, toOverloadError } from './refusal.ts'
export {
  createSemaphore,
  type Permit,
  type Semaphore,
  type SemaphoreBounds,
  type SemaphoreFull,
  type SemaphoreLimits,
} from './semaphore.ts'
