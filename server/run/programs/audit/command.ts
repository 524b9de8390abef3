import type { KeyObject } from 'node:crypto'
import { type AuditReport, isSignerConnected, verifyAudit } from '@sightline/platform/audit-chain'
import type { Db } from '@sightline/platform/db'
import { publicHalf } from '@sightline/platform/signed-line'
import { checkpointFile } from '../../compose/audit-signer.ts'
import type { Config } from '../../compose/config.ts'
import { readSecrets } from '../../compose/secrets.ts'
import { notedKey } from './noted-key.ts'
import type { AuditCommand } from './options.ts'

type Wish = Extract<AuditCommand, { kind: 'verify' }>

export interface VerifyRun {
  readonly report: AuditReport
  readonly file: string
  readonly publicKey: KeyObject
  readonly tookMs: number
}

/**
 * Runs the requested verification.
 *
 * @throws StartError if it is impossible, for example without a key.
 */
export async function verify(db: Db, config: Config, wish: Wish): Promise<VerifyRun> {
  const publicKey = wish.publicKey === undefined ? await ownPublicKey(config) : await notedKey(wish.publicKey)
  const file = wish.checkpoints ?? checkpointFile(config)
  const began = performance.now()
  const report = await verifyAudit(db, {
    publicKey,
    file,
    isCopy: wish.checkpoints !== undefined,
    accountId: wish.accountId,
    since: wish.since,
    isSealing: await isSignerConnected(db),
    now: Date.now(),
  })
  return { report, file, publicKey, tookMs: performance.now() - began }
}

/** The public half of the key of this data folder. */
export async function ownPublicKey(config: Config): Promise<KeyObject> {
  return publicHalf((await readSecrets(config.dataFolder)).auditKey)
}
