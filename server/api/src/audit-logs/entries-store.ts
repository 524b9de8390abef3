import { holdsZone } from '@sightline/contract/zones'
import { instant, matchAny, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import { accessibleCameras, toNamePattern } from '../cameras/index.ts'

/** The filter of a log, as in the query of its calls. */
export interface AuditFilter {
  /** Milliseconds since 1970: earliest, inclusive; latest, exclusive. */
  readonly from?: number | undefined
  readonly till?: number | undefined
  readonly userIds?: readonly number[] | undefined
  readonly cameraIds?: readonly number[] | undefined
  readonly actions?: readonly string[] | undefined
  readonly staffOnly?: 'true' | 'false' | undefined
  readonly q?: string | undefined
}

/** The part of a log that a reader may see; undefined means all. */
export interface VisibleTargets {
  readonly cameraIds: readonly number[]
  readonly zoneIds: readonly number[]
  readonly deviceIds: readonly number[]
}

/**
 * Members can't read entries about cameras, zones and devices that they have no access to. They can read all entries
 * about people.
 */
export async function visibleTargets(tx: Tx, caller: MemberCaller): Promise<VisibleTargets | undefined> {
  const { access, accountId } = caller
  if (access.kind === 'all') return undefined
  const cameras = await accessibleCameras(tx, caller).select(['cameras.camera_id', 'cameras.zone_id']).execute()
  const devices = await tx
    .selectFrom('devices')
    .select(['device_id', 'zone_id'])
    .where('account_id', '=', accountId)
    .execute()
  return {
    cameraIds: cameras.map((camera) => camera.camera_id),
    zoneIds: [...new Set([...access.zoneIds, ...cameras.map((camera) => camera.zone_id)])],
    deviceIds: devices
      .filter((device) => holdsZone(caller, { accountId, zoneId: device.zone_id }))
      .map((device) => device.device_id),
  }
}

/** The years that both PostgreSQL and a date-time support. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')
export const toInstant = (ms: number) => instant(Math.min(Math.max(ms, 0), LATEST))

/** The base query for the log of an account or organization. */
const logOf = (tx: Tx, accountId: number) => tx.selectFrom('audit_log as l').where('l.account_id', '=', accountId)
export type LogQuery = ReturnType<typeof logOf>

/** The entries that the reader may see and that match the filter. */
export function selectEntries(
  tx: Tx,
  of: {
    readonly accountId: number
    readonly visible: VisibleTargets | undefined
    /** Staff limited to some accounts can't read entries about others. */
    readonly accountIds?: ReadonlySet<number> | undefined
    readonly filter: AuditFilter
    /** Whether to search names of cameras: for members only. */
    readonly searchesCameras: boolean
  },
): LogQuery {
  const { from, till, userIds, cameraIds, actions, staffOnly, q } = of.filter
  const pattern = toNamePattern(q)
  let query = withinReach(logOf(tx, of.accountId), of.visible)
  if (of.accountIds !== undefined) query = aboutAccounts(query, [...of.accountIds])
  if (from !== undefined) query = query.where('l.at', '>=', toInstant(from))
  if (till !== undefined) query = query.where('l.at', '<', toInstant(till))
  if (userIds !== undefined) query = query.where('l.user_id', '=', matchAny(userIds))
  if (cameraIds !== undefined) {
    query = query.where('l.target_kind', '=', 'camera').where('l.target_id', '=', matchAny(cameraIds))
  }
  if (actions !== undefined) query = query.where('l.action', '=', sql<string>`any(${[...actions]}::text[])`)
  if (staffOnly === 'true') query = query.where('l.staff_id', 'is not', null)
  return pattern === undefined ? query : searched(query, { ...of, pattern })
}

function withinReach(query: LogQuery, visible: VisibleTargets | undefined): LogQuery {
  if (visible === undefined) return query
  return query.where(({ eb, or }) =>
    or([
      sql<boolean>`l.target_kind is null or l.target_kind not in ('camera', 'zone', 'device')`,
      eb('l.target_kind', '=', 'camera').and('l.target_id', '=', matchAny(visible.cameraIds)),
      eb('l.target_kind', '=', 'zone').and('l.target_id', '=', matchAny(visible.zoneIds)),
      eb('l.target_kind', '=', 'device').and('l.target_id', '=', matchAny(visible.deviceIds)),
    ]),
  )
}

const aboutAccounts = (query: LogQuery, accountIds: readonly number[]): LogQuery =>
  query.where(({ eb, or }) =>
    or([
      sql<boolean>`l.target_kind is null or l.target_kind <> 'account'`,
      eb('l.target_id', '=', matchAny(accountIds)),
    ]),
  )

function searched(
  query: LogQuery,
  { accountId, pattern, searchesCameras }: { accountId: number; pattern: string; searchesCameras: boolean },
): LogQuery {
  // Early entries have no stored names.
  const byPresentName = sql<boolean>`l.actor_name is null and l.salt is not null and l.user_id in (
    select user_id from users where account_id = ${accountId} and first_name || ' ' || last_name ilike ${pattern})`
  const byCamera = sql<boolean>`l.target_kind = 'camera' and l.target_id in (
    select camera_id from cameras where account_id = ${accountId} and name ilike ${pattern})`
  return query.where(({ eb, or }) =>
    or([
      eb('l.actor_name', 'ilike', pattern),
      eb('l.action', 'ilike', pattern),
      eb('l.address', 'ilike', pattern),
      byPresentName,
      ...(searchesCameras ? [byCamera] : []),
    ]),
  )
}
