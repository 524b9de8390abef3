import type { Passkey, Passkeys } from '@sightline/contract/passkeys'
import { toDateTime } from '@sightline/contract/wire'
import type { StoredFactor } from '../mfa/index.ts'
import type { RelyingParty } from './relying-party.ts'
import type { StoredPasskey } from './store.ts'

type Told = Pick<StoredPasskey, 'passkeyId' | 'name' | 'rpId' | 'createdAt' | 'lastUsedAt' | 'isBackedUp'>

/** What the owner can see of it. */
export const toPasskey = (stored: Told): Passkey => ({
  passkeyId: stored.passkeyId,
  name: stored.name,
  host: stored.rpId,
  createdAt: toDateTime(stored.createdAt),
  lastUsedAt: stored.lastUsedAt === undefined ? null : toDateTime(stored.lastUsedAt),
  isBackedUp: stored.isBackedUp,
})

export interface PasskeysStateInput {
  readonly passkeys: readonly StoredPasskey[]
  readonly rp: RelyingParty | undefined
  readonly factor: StoredFactor | undefined
  /** Recovery codes. */
  readonly left: number
  readonly proof: Passkeys['proof']
}

export const toPasskeysState = ({ passkeys, rp, factor, left, proof }: PasskeysStateInput): Passkeys => ({
  passkeys: passkeys.map(toPasskey),
  host: rp?.id ?? null,
  asSecondFactor: factor?.asksPasskeys === true,
  proof,
  recoveryCodesLeft: left,
})
