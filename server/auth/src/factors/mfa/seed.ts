import { randomBytes } from 'node:crypto'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import type { StoredFactor } from './store.ts'
import { SEED_BYTES } from './totp.ts'

type Owner = Pick<StoredFactor, 'userId' | 'accountId'>

const getEncryptionContext = ({ userId, accountId }: Owner) => ({
  accountId,
  table: 'auth.two_factor',
  row: userId,
  column: 'seed_sealed',
})

/** A new seed as stored: it can be decrypted only in that user's row. */
export const newEncryptedSeed = (encryption: EnvelopeEncryption, owner: Owner): Buffer =>
  encryption.seal(getEncryptionContext(owner), randomBytes(SEED_BYTES).toString('hex'))

/** @throws if it was changed or moved. */
export const openSeed = (encryption: EnvelopeEncryption, factor: Owner & { readonly seedSealed: Buffer }): Buffer =>
  Buffer.from(encryption.open(getEncryptionContext(factor), factor.seedSealed), 'hex')
