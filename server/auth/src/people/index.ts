export { claimsByScope, claimsOf } from './claims.ts'
export { type Audience, type Found, findByEmail, findByUserId, isFor, type Lookup, type Person } from './store.ts'
