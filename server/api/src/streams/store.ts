import type { ExportOrder } from '@sightline/contract/footage-proof'
import type { StreamName, TicketUse } from '@sightline/contract/streams'
import { instant, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import type { LocalStream } from './local-rtsp.ts'

export async function insertTicket(
  tx: Tx,
  caller: MemberCaller,
  ticket: {
    sha256: Buffer
    cameraId: number
    use: TicketUse
    stream: StreamName | undefined
    from: number | undefined
    till: number | undefined
    proof: ExportOrder | undefined
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
      stream: ticket.stream ?? null,
      from_at: ticket.from === undefined ? null : instant(ticket.from),
      till_at: ticket.till === undefined ? null : instant(ticket.till),
      proof: ticket.proof === undefined ? null : JSON.stringify(ticket.proof),
      expires_at: instant(ticket.expiresAt),
    })
    .execute()
}

/** What the manifest of an exported file says of who exports it. */
export async function loadExporter(
  tx: Tx,
  { accountId, userId }: MemberCaller,
  cameraId: number,
): Promise<Pick<ExportOrder, 'exportedBy' | 'cameraName'>> {
  const user = await tx
    .selectFrom('users')
    .select(['first_name', 'last_name', 'email'])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const camera = await tx
    .selectFrom('cameras')
    .select('name')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .executeTakeFirst()
  const name = user === undefined ? `user ${userId}` : `${user.first_name} ${user.last_name}, ${user.email}`
  return { exportedBy: name.slice(0, 300), ...(camera !== undefined && { cameraName: camera.name.slice(0, 200) }) }
}

interface StreamPicture {
  readonly width: number | null
  readonly height: number | null
  readonly codec: string | null
}

/** The streams of a camera as last seen; `sub` is undefined if it has none. */
export async function loadStreams(
  tx: Tx,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
): Promise<{
  readonly main: StreamPicture
  readonly sub: StreamPicture | undefined
  /** Such a camera may make JPEGs itself. */
  readonly hasOnvif: boolean
}> {
  const row = await tx
    .selectFrom('cameras as c')
    .leftJoin('camera_status as s', (join) =>
      join.onRef('s.account_id', '=', 'c.account_id').onRef('s.camera_id', '=', 'c.camera_id'),
    )
    .select([
      'c.sub_path',
      'c.onvif_port',
      's.width',
      's.height',
      's.codec',
      's.sub_width',
      's.sub_height',
      's.sub_codec',
    ])
    .where('c.account_id', '=', accountId)
    .where('c.camera_id', '=', cameraId)
    .executeTakeFirst()
  const { width = null, height = null, codec = null, sub_path = null } = row ?? {}
  const sub = { width: row?.sub_width ?? null, height: row?.sub_height ?? null, codec: row?.sub_codec ?? null }
  return {
    main: { width, height, codec },
    sub: sub_path === null ? undefined : sub,
    hasOnvif: row !== undefined && row.onvif_port !== null,
  }
}

/** Where a camera sends its streams, and its password. */
export async function loadLocalStreams(
  tx: Tx,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
): Promise<Readonly<Record<StreamName, LocalStream>> & { readonly passwordSealed: Buffer | null }> {
  const row = await tx
    .selectFrom('cameras')
    .select(['address', 'rtsp_port', 'main_path', 'sub_path', 'stream_secure', 'password_sealed'])
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .executeTakeFirstOrThrow()
  const place = { address: row.address, port: row.rtsp_port, isSecure: row.stream_secure }
  return {
    main: { ...place, path: row.main_path },
    sub: { ...place, path: row.sub_path ?? '' },
    passwordSealed: row.password_sealed,
  }
}
