import { type KeyService, keyService } from '@sightline/media/control'
import type { Db } from '@sightline/platform/db'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { findFootageKek } from './footage-secrets.ts'
import type { Secrets } from './secrets.ts'

/** @param db under the role `media`. */
export const openKeyService = (db: Db, secrets: Secrets): KeyService =>
  keyService({
    db,
    kek: findFootageKek(secrets),
    encryption: envelopeEncryption(secrets.installationKey),
  })
