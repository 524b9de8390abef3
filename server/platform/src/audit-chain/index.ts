export { getCheckpointPath } from './checkpoint-file.ts'
export { describeFinding } from './findings.ts'
export { type AuditSigner, type SignerFigures, startSigner } from './signer.ts'
export { type AuditReport, isSignerConnected, type VerifySettings, verifyAudit } from './verify.ts'
