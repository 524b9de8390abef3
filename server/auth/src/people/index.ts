export { claimsByScope, loadClaims } from './claims.ts'
export {
  type Audience,
  type Found,
  findByEmail,
  findByUserId,
  isInAudience,
  type Lookup,
  type Person,
} from './store.ts'
