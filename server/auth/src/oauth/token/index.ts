export { type GrantDeps, getCheckedLogin, registerGrants } from './grants.ts'
export { sendOAuthError, withCheckedForm } from './parameters.ts'
export { TooManyTries } from './too-many-tries.ts'
