export { PasskeysCard } from './PasskeysCard.tsx'
export { passkeysQuery } from './passkeys-query.ts'
