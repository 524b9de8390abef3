import { join } from 'node:path'
import { type HeadSigner, headSigner } from '@sightline/media/control'
import { type HeadKey, headKeysText } from '@sightline/media/recording'
import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { publicHalf } from '@sightline/platform/signed-line'
import type { Secrets } from './secrets.ts'

/** The public keys of all signatures under lists of footage that this installation made. */
export function listHeadKeys({ footageSigning: { current, retired } }: Secrets): readonly HeadKey[] {
  const own = { publicKey: publicHalf(current.key), createdAt: current.createdAt, retiredAt: undefined }
  return [own, ...retired]
}

/** The document that the edge publishes. */
export const publishedHeadKeys = (secrets: Secrets): string => headKeysText(listHeadKeys(secrets))

/** @param given.db under the role `sealer`. */
export const startHeadSigner = (given: {
  readonly db: Db
  readonly dataFolder: string
  readonly secrets: Secrets
  readonly log: Logger
}): HeadSigner =>
  headSigner({
    db: given.db,
    store: join(given.dataFolder, 'footage'),
    signingKey: given.secrets.footageSigning.current.key,
    publicKeys: listHeadKeys(given.secrets).map(({ publicKey }) => publicKey),
    log: given.log,
    now: Date.now,
  })
