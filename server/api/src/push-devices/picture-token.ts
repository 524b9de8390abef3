import { PUSH_PICTURE_MINUTES } from '@sightline/contract/push-pictures'
import { MS_PER_MINUTE } from '@sightline/platform/clock'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import * as z from 'zod/mini'

/** Which picture a push message shows, and to whom. */
const shownPicture = z.object({
  userId: z.int(),
  pushDeviceId: z.int(),
  /** The notification setting that caused the message. */
  type: z.string(),
  cameraId: z.int(),
  /** Milliseconds since 1970. */
  at: z.number(),
  until: z.number(),
})
export type ShownPicture = z.infer<typeof shownPicture>

export type NewPushPicture = Pick<ShownPicture, 'type' | 'cameraId' | 'at'>

interface TokenKey {
  readonly accountId: number
  readonly pushMessageId: number
}

const contextOf = ({ accountId, pushMessageId }: TokenKey) => ({
  accountId,
  table: 'push_messages',
  row: pushMessageId,
  column: 'picture_token',
})

/** `account-message-sealed`: nothing is stored, and nobody without the installation's key can make one. */
export function sealPictureToken(
  encryption: EnvelopeEncryption,
  key: TokenKey,
  { now, ...picture }: Omit<ShownPicture, 'until'> & { readonly now: number },
): string {
  const until = now + PUSH_PICTURE_MINUTES * MS_PER_MINUTE
  const sealed = encryption.seal(contextOf(key), JSON.stringify({ ...picture, until }))
  return `${key.accountId}-${key.pushMessageId}-${sealed.toString('base64url')}`
}

const TOKEN = /^bearer ([1-9]\d{0,15})-([1-9]\d{0,15})-([\w-]{40,1000})$/i

/** Undefined unless it is a token of ours that hasn't expired. */
export function openPictureToken(
  encryption: EnvelopeEncryption,
  header: string | undefined,
  now: number,
): (ShownPicture & { readonly accountId: number }) | undefined {
  const [, account, message, sealed = ''] = TOKEN.exec(header ?? '') ?? []
  if (account === undefined || message === undefined) return undefined
  const key = { accountId: Number(account), pushMessageId: Number(message) }
  try {
    const opened = encryption.open(contextOf(key), Buffer.from(sealed, 'base64url'))
    const picture = shownPicture.parse(JSON.parse(opened))
    return picture.until > now ? { ...picture, accountId: key.accountId } : undefined
  } catch {
    // Made up, cut, or sealed with another key.
    return undefined
  }
}
