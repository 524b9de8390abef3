import type { TicketUse } from '@sightline/contract/streams'
import { instant, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'

export async function insertTicket(
  tx: Tx,
  caller: MemberCaller,
  ticket: {
    sha256: Buffer
    cameraId: number
    use: TicketUse
    from: number | undefined
    till: number | undefined
    expiresAt: number
  },
): Promise<void> {
  await tx
    .insertInto('stream_tickets')
    .values({
      account_id: caller.accountId,
      ticket_sha256: ticket.sha256,
      user_id: caller.userId,
      camera_id: ticket.cameraId,
      token_sha256: caller.tokenSha256,
      use: ticket.use,
      from_at: ticket.from === undefined ? null : instant(ticket.from),
      till_at: ticket.till === undefined ? null : instant(ticket.till),
      expires_at: instant(ticket.expiresAt),
    })
    .execute()
}
