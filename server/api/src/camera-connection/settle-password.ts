import type { MediaPlane, TriedConnection } from '@sightline/contract/media-plane'
import { type StoredConnection, tried, triedResult } from './rules.ts'

/** Two passwords of a camera, sealed. */
export interface PasswordPair {
  readonly stored: StoredConnection
  readonly newSealed: Buffer
}

/**
 * What a camera takes now. `restored`: it took the new one for ONVIF and not for its streams, and was set back. `neither`: it was set
 * by somebody else meanwhile, or couldn't be set back. `unreachable`: it isn't known yet.
 */
export type SettledPassword = 'new' | 'old' | 'restored' | 'neither' | 'unreachable'

export const withPassword = (stored: StoredConnection, sealed: Buffer | null): TriedConnection => ({
  ...tried(stored),
  passwordSealed: sealed?.toString('base64') ?? null,
})

/** Finds out which of two passwords a camera takes, for its requests and its streams. */
export async function settlePassword(
  media: Pick<MediaPlane, 'command'>,
  { stored, newSealed }: PasswordPair,
): Promise<SettledPassword> {
  const { cameraId, username, passwordSealed: oldSealed } = stored
  const attempt = async (sealed: Buffer | null): Promise<'accepted' | 'rejected' | 'unreachable'> => {
    const answer = await media.command({ cameraId, name: 'tryConnection', input: withPassword(stored, sealed) })
    if (triedResult(stored, answer).kind === 'found') return 'accepted'
    const isRejected = answer.kind === 'done' && answer.output.kind === 'failed'
    return isRejected && answer.output.reason === 'credentialsIncorrect' ? 'rejected' : 'unreachable'
  }
  const asNew = await attempt(newSealed)
  if (asNew !== 'rejected') return asNew === 'accepted' ? 'new' : asNew
  const asOld = await attempt(oldSealed)
  if (asOld !== 'rejected') return asOld === 'accepted' ? 'old' : asOld
  const back = {
    username: username ?? '',
    fromSealed: newSealed.toString('base64'),
    toSealed: oldSealed?.toString('base64') ?? null,
  }
  const answer = await media.command({ cameraId, name: 'changePassword', input: back })
  if (answer.kind !== 'done' || answer.output.kind !== 'changed') return 'neither'
  const again = await attempt(oldSealed)
  if (again === 'unreachable') return again
  return again === 'accepted' ? 'restored' : 'neither'
}
