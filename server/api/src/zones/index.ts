import type { ApiError } from '@sightline/contract/errors'
import { deleteZone, getZone, getZones, patchZone, postZone } from '@sightline/contract/zones'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { toNamePattern } from '../cameras/index.ts'
import { timeZoneFault } from '../reference-lists/index.ts'
import { deletionFault } from './rules.ts'
import {
  findZone,
  insertZone,
  isNameTaken,
  listZones,
  loadZoneContents,
  lockZone,
  lockZones,
  removeZone,
  saveZone,
  toFields,
  type ZoneFields,
} from './store.ts'

export { findZone, listZones, lockZone } from './store.ts'

const noSuchZone: ApiError = { error: 'notFound' }
/** Guests don't decide about access; a user who adds a zone gets access to it. */
const givesAccess: ApiError = { error: 'notAuthorized', detail: "zones can't be created in a support session" }
/** Seen for a camera in it: what happens to the others is not the caller's to decide. */
const notWhole: ApiError = { error: 'notAuthorized', detail: 'this needs access to all cameras in the zone' }

interface Deps {
  readonly db: Db
  readonly ids: IdSource
}

export const zones = (deps: Deps) => [...reading(deps), ...changing(deps)]

const reading = ({ db }: Deps) => [
  serve(getZones, async (caller, { query }) =>
    ok(await db.inTenant(caller, (tx) => listZones(tx, caller, { namePattern: toNamePattern(query.q) }))),
  ),

  serve(getZone, async (caller, { params }) => {
    const zone = await db.inTenant(caller, (tx) => findZone(tx, caller, params.zoneId))
    return zone === undefined ? fail(noSuchZone) : ok(zone)
  }),
]

const changing = ({ ids }: Deps) => [
  serveChange(postZone, async (change, { body }) => {
    const fault = timeZoneFault(body.timeZone)
    if (fault !== undefined) return fail(fault)
    const { name, latitude = null, longitude = null, timeZone = null } = body
    const zone = { zoneId: await ids.next(), name, latitude, longitude, timeZone }
    return changeZones(change, async (tx, caller) => {
      if (caller.support !== undefined && caller.access.kind === 'some') return fail(givesAccess)
      await insertZone(tx, caller, zone)
      await change.audit({ action: 'postZone', target: { kind: 'zone', id: zone.zoneId }, after: toFields(zone) })
      // The caller's new zone isn't in the access that was loaded with the token.
      const made = await findZone(tx, { ...caller, access: { kind: 'all' } }, zone.zoneId)
      return made === undefined ? fail(noSuchZone) : ok(made)
    })
  }),

  serveChange(patchZone, async (change, { params, body }) => {
    const fault = timeZoneFault(body.timeZone)
    if (fault !== undefined) return fail(fault)
    return changeZones(change, async (tx, caller) => {
      await lockZone(tx, { accountId: caller.accountId, zoneId: params.zoneId })
      const before = await findZone(tx, caller, params.zoneId)
      if (before === undefined) return fail(noSuchZone)
      if (!before.whole) return fail(notWhole)
      change.ifMatch(before)
      const next = { ...before, ...given(body) }
      await saveZone(tx, caller.accountId, next)
      const target = { kind: 'zone', id: params.zoneId }
      await change.audit({ action: 'patchZone', target, before: toFields(before), after: toFields(next) })
      return ok(next)
    })
  }),

  serveChange(deleteZone, (change, { params }) =>
    changeZones(change, async (tx, caller) => {
      const key = { accountId: caller.accountId, zoneId: params.zoneId }
      await lockZone(tx, key)
      const before = await findZone(tx, caller, params.zoneId)
      if (before === undefined) return fail(noSuchZone)
      if (!before.whole) return fail(notWhole)
      // Under the lock, so that a camera that is being moved has arrived, and a later one finds no zone.
      const fault = deletionFault(await loadZoneContents(tx, key))
      if (fault !== undefined) return fail(fault)
      await removeZone(tx, key)
      const target = { kind: 'zone', id: params.zoneId }
      await change.audit({ action: 'deleteZone', target, before: toFields(before) })
      return ok(undefined)
    }),
  ),
]

/** Only the fields that a patch names. */
const given = (patch: { readonly [Field in keyof ZoneFields]?: ZoneFields[Field] | undefined }): Partial<ZoneFields> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))

/** Changes of an account's zones run one after the other, each authorized at its time. */
async function changeZones<Value>(
  change: Pick<Change<MemberCaller>, 'caller' | 'tx' | 'reauthorize'>,
  work: (tx: Tx, caller: MemberCaller) => Promise<Result<Value, ApiError>>,
): Promise<Result<Value, ApiError>> {
  try {
    return await change.tx(change.caller, async (tx) => {
      await lockZones(tx, change.caller.accountId)
      const caller = await change.reauthorize()
      return caller.ok ? work(tx, caller.value) : caller
    })
  } catch (error) {
    if (!isNameTaken(error)) throw error
    return fail({ error: 'duplicate', detail: 'a zone with this name already exists' })
  }
}
