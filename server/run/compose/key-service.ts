import { type KeyService, keyService } from '@sightline/media/control'
import { footageKek } from '@sightline/media/recording'
import type { Db } from '@sightline/platform/db'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import type { Secrets } from './secrets.ts'

/** @param db under the role `media`. */
export const openKeyService = (db: Db, { installationKey }: Secrets): KeyService =>
  keyService({ db, kek: footageKek(installationKey), encryption: envelopeEncryption(installationKey) })
