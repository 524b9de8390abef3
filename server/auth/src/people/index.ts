export { claimsByScope, loadClaims } from './claims.ts'
export {
  type Audience,
  type AuthUser,
  findByEmail,
  findByUserId,
  isInAudience,
  type Lookup,
  type UserMatches,
} from './store.ts'
