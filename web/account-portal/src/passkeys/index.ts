export { ConfirmByProof } from './ConfirmByProof.tsx'
export { PasskeysCard } from './PasskeysCard.tsx'
export { passkeysQuery } from './passkeys-query.ts'
