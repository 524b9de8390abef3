import { timingSafeEqual } from 'node:crypto'
import { tokenSha256 } from '@sightline/platform/sessions'
import Provider, { type Client } from 'oidc-provider'
import type { Failures, Subject } from '../failures/index.ts'
import { TooManyTries } from '../token/index.ts'

/**
 * Compares the SHA-256 of a presented secret with the stored one, in constant time, and counts wrong ones. Unlike a try
 * with a password it is counted only once it was wrong: a server that refreshes a dozen tokens at the same moment must
 * not lock itself out, and running ahead of the count guesses nothing among 2^256.
 */
export function compareHashedSecrets(provider: Provider, failures: Failures): void {
  provider.Client.prototype.compareClientSecret = async function compare(this: Client, given: string) {
    const subjects: readonly Subject[] = [{ kind: 'client', clientId: this.clientId }]
    const address = Provider.ctx?.ip ?? ''
    const lockedForS = await failures.lockedFor(subjects, address)
    if (lockedForS !== undefined) throw new TooManyTries(lockedForS)
    const stored = Buffer.from(this.clientSecret ?? '', 'hex')
    const presented = tokenSha256(given)
    const isRight = stored.length === presented.length && timingSafeEqual(stored, presented)
    if (!isRight) await failures.reserve(subjects, address)
    return isRight
  }
}
