import { type EpochMs, MS_PER_DAY, MS_PER_HOUR, MS_PER_SECOND } from '../clock/index.ts'
import type { Tx } from '../db/index.ts'
import { listLimitedMails } from './store.ts'

/** The most emails of the limited kinds that one address gets in a period, from any account, brand or process. */
export const RECIPIENT_LIMITS = [
  { most: 5, perMs: MS_PER_HOUR },
  { most: 20, perMs: MS_PER_DAY },
] as const

const LONGEST_MS = Math.max(...RECIPIENT_LIMITS.map(({ perMs }) => perMs))

/**
 * Seconds until another limited email may be written to that address; undefined if it may be written now. Locks the
 * address until the transaction ends, so that concurrent requests don't exceed the limit. To ask for several addresses
 * in one transaction, ask in the order of {@link byRecipient}.
 */
export async function recipientWaitS(
  tx: Tx,
  { to, now }: { readonly to: string; readonly now: EpochMs },
): Promise<number | undefined> {
  return waitS(await listLimitedMails(tx, to, now - LONGEST_MS), now)
}

/** @param writtenAt the newest first. */
export function waitS(writtenAt: readonly EpochMs[], now: EpochMs): number | undefined {
  const waits = RECIPIENT_LIMITS.map(({ most, perMs }) => {
    const full = writtenAt[most - 1]
    return full === undefined ? 0 : full + perMs - now
  })
  const wait = Math.max(...waits)
  return wait <= 0 ? undefined : Math.ceil(wait / MS_PER_SECOND)
}

/** Two transactions that each want what the other has locked would deadlock; one fixed order prevents that. */
export const byRecipient = (a: { readonly to: string }, b: { readonly to: string }): number => {
  const [left, right] = [a.to.toLowerCase(), b.to.toLowerCase()]
  if (left === right) return 0
  return left < right ? -1 : 1
}
