import { createHash } from 'node:crypto'
import { type Clock, type EpochMs, MS_PER_MINUTE } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { addressGroup } from '@sightline/platform/limits'
import { type Counter, countAll, forget, longestLock, subtract } from './store.ts'

export { countAll }

/**
 * The subject of a try: a known user, an email address (in use or not), or a client. A try with an address counts for
 * the address and each of its users, so that the address is locked first and a lock reveals no users.
 */
export type Subject =
  | { readonly kind: 'user'; readonly userId: number }
  | { readonly kind: 'email'; readonly emailFolded: string }
  /** Takes the place of a user that an address doesn't have: counts the same and locks nothing. */
  | { readonly kind: 'nobody'; readonly emailFolded: string; readonly number: number }
  | { readonly kind: 'client'; readonly clientId: string }
  /** Counts only second factors of a user: anyone who guesses them already knows the password. */
  | { readonly kind: 'code'; readonly userId: number }

export type Reservation =
  | { readonly kind: 'locked'; readonly retryAfterS: number }
  /** A try that is not taken back was a failure. */
  | {
      readonly kind: 'open'
      readonly takeBack: () => Promise<void>
      /**
       * Clears the failures of these subjects from that address; for the others the try was a failure. A user halfway
       * through sign-in keeps earlier failures: otherwise a known password would buy tries with codes.
       */
      readonly succeeded: (fitting: readonly Subject[], halfway?: readonly Subject[]) => Promise<void>
    }

export interface Failures {
  /**
   * Counts a try as a failure before it is made, so that concurrent tries can't outrun the limit. An authenticated
   * client server that sends many users' passwords is counted as itself, not by its address.
   */
  reserve(subjects: readonly Subject[], address: string, throughClient?: string): Promise<Reservation>
  /**
   * Seconds until these subjects are unlocked for that address; undefined if they aren't locked. Counts nothing and
   * ignores other failures from the address, so a server whose users mistype passwords keeps working.
   */
  lockedFor(subjects: readonly Subject[], address: string): Promise<number | undefined>
}

export const WINDOW_MS = 15 * MS_PER_MINUTE
/**
 * Failures within the window: of one account from one address, of one account from anywhere, of one address with any
 * account, of one client's server with any account. Behind the last are many people, of whom one may be guessing. Of codes
 * there are a million only, three of which are right at a time: 10 from anywhere find one in 350 days of trying, on average.
 */
export const LIMITS = { pair: 10, subject: 50, code: 10, address: 100, client: 1000 } as const

function nameOf(subject: Subject): string {
  if (subject.kind === 'user') return `user ${subject.userId}`
  if (subject.kind === 'client') return `client ${subject.clientId}`
  if (subject.kind === 'code') return `code of user ${subject.userId}`
  // Hashed, because people type passwords into the wrong field.
  const hash = createHash('sha256').update(subject.emailFolded).digest('base64url')
  return subject.kind === 'email' ? `email ${hash}` : `nobody ${subject.number} ${hash}`
}

function countersOf(
  subjects: readonly Subject[],
  address: string,
  throughClient?: string,
): { pairs: Counter[]; others: Counter[] } {
  const from = addressGroup(address)
  const limitOf = ({ kind }: Subject, limit: number): number => (kind === 'nobody' ? Number.POSITIVE_INFINITY : limit)
  return {
    pairs: subjects.map((subject) => ({
      key: `pair ${nameOf(subject)} ${from}`,
      limit: limitOf(subject, LIMITS.pair),
    })),
    others: [
      // A client's secret can't be guessed from any number of addresses, so a shared count would only let an attacker
      // lock the client out.
      ...subjects
        .filter(({ kind }) => kind !== 'client')
        .map((subject) => ({
          key: nameOf(subject),
          limit: limitOf(subject, subject.kind === 'code' ? LIMITS.code : LIMITS.subject),
        })),
      throughClient === undefined
        ? { key: `address ${from}`, limit: LIMITS.address }
        : { key: `passwords of client ${throughClient}`, limit: LIMITS.client },
    ],
  }
}

/**
 * Failed tries with passwords and codes, in the database so that they survive a restart and apply on every machine
 * (api.md §2.4). A window begins with the first failure and ends 15 minutes later.
 */
export function failures(db: Db, clock: Clock): Failures {
  const secondsUntil = (until: EpochMs, now: EpochMs): number => Math.max(1, Math.ceil((until - now) / 1000))
  return {
    async lockedFor(subjects, address) {
      const now = clock.now()
      const until = await longestLock(db, countersOf(subjects, address).pairs, now)
      return until === undefined ? undefined : secondsUntil(until, now)
    },
    async reserve(subjects, address, throughClient) {
      const { pairs, others } = countersOf(subjects, address, throughClient)
      // Always in one order, so that two tries cannot wait for each other.
      const counters = [...pairs, ...others].sort((a, b) => (a.key < b.key ? -1 : 1))
      const now = clock.now()
      const lockedUntil = await countAll(db, counters, { now, endsAt: now + WINDOW_MS })
      if (lockedUntil !== undefined) {
        return { kind: 'locked', retryAfterS: secondsUntil(lockedUntil, now) }
      }
      return {
        kind: 'open',
        takeBack: () => subtract(db, counters),
        succeeded: async (fitting, halfway = []) => {
          const cleared = countersOf(fitting, address, throughClient)
          const back = countersOf(halfway, address, throughClient)
          await subtract(db, [...cleared.others, ...back.others, ...back.pairs])
          await forget(
            db,
            cleared.pairs.map((pair) => pair.key),
          )
        },
      }
    },
  }
}
