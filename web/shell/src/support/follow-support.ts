import { supportSession } from '@sightline/contract/support-sessions'
import * as z from 'zod/mini'
import { type Following, followServer, putTold, type ToldQueries } from '../server-states/index.ts'
import { supportSessionsKey } from './support-session.ts'

/** The part of a message about states that says who of support is in the account. */
const supportChanges = z.object({
  complete: z.boolean(),
  supportSessions: z.array(supportSession),
  goneTokenIds: z.array(z.int()),
})
type SupportChanges = z.infer<typeof supportChanges>

/** Puts who of support is in the account where the banner looks for it. */
export async function applySupportSessions(
  queries: ToldQueries,
  { complete, supportSessions, goneTokenIds }: SupportChanges,
): Promise<void> {
  if (!complete && supportSessions.length + goneTokenIds.length === 0) return
  await putTold<SupportChanges['supportSessions']>(queries, supportSessionsKey, (before) => {
    if (complete) return supportSessions
    const changed = new Set([...goneTokenIds, ...supportSessions.map(({ tokenId }) => tokenId)])
    return before && [...before.filter(({ tokenId }) => !changed.has(tokenId)), ...supportSessions]
  })
}

/** Follows who of support is in the account. */
export function followSupport(following: Following, leaving: AbortSignal): void {
  const parts = {
    statesOf: 'supportSessions',
    applyStates: (message: unknown) => applySupportSessions(following.queries, supportChanges.parse(message)),
    applyEvent: () => undefined,
    asked: [supportSessionsKey],
  }
  followServer(following, parts, { leaving })
}
