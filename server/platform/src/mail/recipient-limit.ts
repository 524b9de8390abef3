import { sql } from 'kysely'
import { type EpochMs, MS_PER_DAY, MS_PER_HOUR, MS_PER_SECOND } from '../clock/index.ts'
import { instant, type Tx } from '../db/index.ts'

/** Most mails of the limited kinds that one address gets in a time, by whichever account, brand or process. */
export const RECIPIENT_LIMITS = [
  { most: 5, perMs: MS_PER_HOUR },
  { most: 20, perMs: MS_PER_DAY },
] as const

const LONGEST_MS = Math.max(...RECIPIENT_LIMITS.map(({ perMs }) => perMs))

/**
 * Seconds until another mail of these kinds may be written to that address; undefined where it may at once. Holds others
 * who ask for the same address until the transaction ends, so that many at once do not pass together. Whoever asks for
 * several addresses in one transaction asks in the order of {@link byRecipient}.
 */
export async function recipientWaitS(
  tx: Tx,
  of: { readonly to: string; readonly kinds: readonly string[]; readonly now: EpochMs },
): Promise<number | undefined> {
  const { kinds, now } = of
  const to = of.to.toLowerCase()
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mails to ${to}`}, 0))`.execute(tx)
  const rows = await tx
    .selectFrom('mail_outbox')
    .select('created_at')
    .where(sql<string>`lower(recipient collate "C")`, '=', to)
    .where('kind', 'in', [...kinds])
    .where('created_at', '>', instant(now - LONGEST_MS))
    .orderBy('created_at', 'desc')
    .execute()
  return waitS(
    rows.map((row) => row.created_at),
    now,
  )
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

/** Two who each want what the other holds would wait for each other; in one order nobody does. */
export const byRecipient = (a: { readonly to: string }, b: { readonly to: string }): number => {
  const [left, right] = [a.to.toLowerCase(), b.to.toLowerCase()]
  if (left === right) return 0
  return left < right ? -1 : 1
}
