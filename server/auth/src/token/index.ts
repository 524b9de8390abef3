export { type GrantParts, registerGrants } from './grants.ts'
export { sendOAuthError, withParametersInBody } from './parameters.ts'
export { TooManyTries } from './too-many-tries.ts'
