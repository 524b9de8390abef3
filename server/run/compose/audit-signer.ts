import { join } from 'node:path'
import { type AuditSigner, getCheckpointPath, startSigner } from '@sightline/platform/audit-chain'
import { systemClock } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import type { Config } from './config.ts'
import type { Secrets } from './secrets.ts'

/** The checkpoint file: at the operator's path, or in the data folder. */
export const checkpointFile = ({ auditCheckpoints, dataFolder }: Config): string =>
  getCheckpointPath(auditCheckpoints ?? join(dataFolder, 'audit'))

/** @param given.db under the role `sealer`. */
export const startAuditSigner = (given: {
  readonly db: Db
  readonly config: Config
  readonly secrets: Secrets
  readonly log: Logger
}): AuditSigner =>
  startSigner({
    db: given.db,
    signingKey: given.secrets.auditKey,
    file: checkpointFile(given.config),
    clock: systemClock,
    log: given.log,
  })
