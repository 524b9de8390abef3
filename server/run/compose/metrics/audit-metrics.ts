import type { AuditSigner } from '@sightline/platform/audit-chain'
import { Gauge, type Registry } from 'prom-client'

export type SignerMetrics = Pick<AuditSigner, 'figures' | 'unsignedEntries'>

/** The progress of the audit log signer; NaN if the database doesn't answer. */
export function registerAuditMetrics(registry: Registry, signer: SignerMetrics): void {
  new Gauge({
    name: 'sightline_audit_unsealed_lines',
    help: 'Audit log entries waiting to be added to the chain.',
    registers: [registry],
    async collect() {
      this.set((await signer.unsignedEntries()) ?? Number.NaN)
    },
  })
  new Gauge({
    name: 'sightline_audit_last_sealed_age_seconds',
    help: 'Seconds since no audit log entry was waiting to be added to the chain.',
    registers: [registry],
    collect() {
      this.set(Math.max(0, Date.now() - signer.figures().caughtUpAt) / 1000)
    },
  })
}
