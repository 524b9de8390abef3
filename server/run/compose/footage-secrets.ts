import { footageKek } from '@sightline/media/recording'
import { publicHalf } from '@sightline/platform/signed-line'
import type { DataFolder } from '@sightline/platform/startup'
import { changeSecrets, newSigningKey, type Secrets } from './secrets.ts'

/** The key-encryption key of footage, 32 bytes. */
export const findFootageKek = ({ installationKey, footageKek: imported }: Secrets): Uint8Array =>
  imported ?? footageKek(installationKey)

/** From the next start on, footage is encrypted with this key, and what was encrypted with it is readable. */
export async function saveFootageKek(folder: DataFolder, kek: Uint8Array): Promise<void> {
  await changeSecrets(folder, () => ({ footageKek: Buffer.from(kek).toString('base64') }))
}

/**
 * From the next start on, the lists of footage are signed with a new key. Of the one before only the public half is kept,
 * so that nothing can be signed with it any more. @param now milliseconds since 1970.
 */
export async function rotateFootageSigning(folder: DataFolder, now: number): Promise<Secrets> {
  const text = (time: number) => new Date(time).toISOString()
  return await changeSecrets(folder, ({ footageSigning: { current, retired } }) => {
    const last = { publicKey: publicHalf(current.key), createdAt: current.createdAt, retiredAt: now }
    return {
      footageSigning: {
        current: { key: newSigningKey(), createdAt: text(now) },
        retired: [last, ...retired].map(({ publicKey, createdAt, retiredAt }) => ({
          publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
          createdAt: text(createdAt),
          retiredAt: text(retiredAt),
        })),
      },
    }
  })
}
