export { checkedLoginOf, type GrantDeps, registerGrants } from './grants.ts'
export { sendOAuthError, withCheckedForm } from './parameters.ts'
export { TooManyTries } from './too-many-tries.ts'
