import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '@sightline/platform/clock'
import { tokenSha256 } from '@sightline/platform/sessions'
import Provider, { type Client, type KoaContextWithOIDC } from 'oidc-provider'
import type { Failures, Subject } from '../../factors/failures/index.ts'
import { TooManyTries } from '../token/index.ts'
import { getClientFacts } from './client-metadata.ts'

export interface SecretDeps {
  readonly failures: Failures
  readonly clock: Clock
}

/**
 * Compares the SHA-256 of a presented secret with the stored one in constant time, and counts wrong ones. Unlike a
 * password try it counts only after failing: a server that refreshes a dozen tokens at once must not lock itself out,
 * and outrunning the count doesn't help to guess among 2^256.
 */
export function compareHashedSecrets(provider: Provider, { failures, clock }: SecretDeps): void {
  provider.Client.prototype.compareClientSecret = async function compare(this: Client, given: string) {
    const subjects: readonly Subject[] = [{ kind: 'client', clientId: this.clientId }]
    const address = Provider.ctx?.ip ?? ''
    const lockedForS = await failures.lockedFor(subjects, address)
    if (lockedForS !== undefined) throw new TooManyTries(lockedForS)
    const presented = tokenSha256(given)
    const isPresent = isSame(this.clientSecret, presented)
    if (isPresent) rememberPresent(Provider.ctx)
    const { previousSecret } = getClientFacts(this).apiKey ?? {}
    const isPrevious =
      previousSecret !== undefined && previousSecret.until > clock.now() && isSame(previousSecret.sha256, presented)
    if (!isPresent && !isPrevious) await failures.reserve(subjects, address)
    return isPresent || isPrevious
  }
}

function isSame(storedHex: string | undefined, presented: Buffer): boolean {
  const stored = Buffer.from(storedHex ?? '', 'hex')
  return stored.length === presented.length && timingSafeEqual(stored, presented)
}

const withPresentSecret = new WeakSet<KoaContextWithOIDC>()
function rememberPresent(ctx: KoaContextWithOIDC | undefined): void {
  if (ctx !== undefined) withPresentSecret.add(ctx)
}

/** Whether the client authenticated with its current secret, and not the previous one. */
export const isByPresentSecret = (ctx: KoaContextWithOIDC): boolean => withPresentSecret.has(ctx)
