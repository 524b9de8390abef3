export { addressGroup } from './address-group.ts'
export { createRateLimiter, type RateLimit, type RateLimiter } from './rate-limiter.ts'
export { type FullRefusal, fullRefusal, type LimitedCall, limitedCall } from './refusal.ts'
export {
  createSemaphore,
  type Permit,
  type Semaphore,
  type SemaphoreBounds,
  type SemaphoreFull,
  type SemaphoreLimits,
} from './semaphore.ts'
