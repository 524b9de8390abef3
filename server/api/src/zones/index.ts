import type { ApiError } from '@sightline/contract/errors'
import { deleteZone, getZone, getZones, patchZone, postZone, type Zone } from '@sightline/contract/zones'
import { appendAudit } from '@sightline/platform/audit'
import type { Db, IdSource } from '@sightline/platform/db'
import { serve } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import { namePatternOf } from '../cameras/index.ts'
import { timeZoneFault } from '../reference-lists/index.ts'
import { deletionFault } from './rules.ts'
import {
  contentsOf,
  findZone,
  insertZone,
  isNameTaken,
  listZones,
  lockZone,
  lockZones,
  removeZone,
  saveZone,
  toFields,
  type ZoneFields,
} from './store.ts'

const noSuchZone: ApiError = { error: 'notFound' }
/** Whoever is let in does not decide who may see what; a new zone is given to whoever adds it. */
const givesAccess: ApiError = { error: 'notAuthorized', detail: 'a support session may not give access to a zone' }
/** Seen for a camera in it: what happens to the others is not the caller's to decide. */
const notWhole: ApiError = { error: 'notAuthorized', detail: 'this needs access to the whole zone' }

export const zones = ({ db, ids }: { db: Db; ids: IdSource }) => [
  serve(getZones, async (caller, { query }) =>
    ok(await db.inTenant(caller, (tx) => listZones(tx, caller, { namePattern: namePatternOf(query.q) }))),
  ),

  serve(getZone, async (caller, { params }) => {
    const zone = await db.inTenant(caller, (tx) => findZone(tx, caller, params.zoneId))
    return zone === undefined ? fail(noSuchZone) : ok(zone)
  }),

  serve(postZone, async (caller, { body, address }) => {
    if (caller.support !== undefined && caller.access.kind === 'some') return fail(givesAccess)
    const fault = timeZoneFault(body.timeZone)
    if (fault !== undefined) return fail(fault)
    const { name, latitude = null, longitude = null, timeZone = null } = body
    const zone = { zoneId: await ids.next(), name, latitude, longitude, timeZone }
    return uniquelyNamed(() =>
      db.inTenant(caller, async (tx) => {
        await insertZone(tx, caller, zone)
        const entry = { action: 'postZone', target: { kind: 'zone', id: zone.zoneId }, after: toFields(zone) }
        await appendAudit(tx, { ids, caller, address, entry })
        // What was just given to the caller is not in the access that his token stood for.
        const made = await findZone(tx, { ...caller, access: { kind: 'all' } }, zone.zoneId)
        return made === undefined ? fail(noSuchZone) : ok(made)
      }),
    )
  }),

  serve(patchZone, async (caller, { params, body, address, changedSince }) => {
    const fault = timeZoneFault(body.timeZone)
    if (fault !== undefined) return fail(fault)
    return uniquelyNamed(() =>
      db.inTenant(caller, async (tx) => {
        await lockZone(tx, { accountId: caller.accountId, zoneId: params.zoneId })
        const before = await findZone(tx, caller, params.zoneId)
        if (before === undefined) return fail(noSuchZone)
        if (!before.whole) return fail(notWhole)
        const stale = changedSince(before)
        if (stale !== undefined) return fail(stale)
        const next = { ...before, ...given(body) }
        await saveZone(tx, caller.accountId, next)
        const target = { kind: 'zone', id: params.zoneId }
        const entry = { action: 'patchZone', target, before: toFields(before), after: toFields(next) }
        await appendAudit(tx, { ids, caller, address, entry })
        return ok(next)
      }),
    )
  }),

  serve(deleteZone, async (caller, { params, address }) =>
    db.inTenant(caller, async (tx) => {
      const key = { accountId: caller.accountId, zoneId: params.zoneId }
      await lockZones(tx, caller.accountId)
      await lockZone(tx, key)
      const before = await findZone(tx, caller, params.zoneId)
      if (before === undefined) return fail(noSuchZone)
      if (!before.whole) return fail(notWhole)
      // Under the lock, so that a camera that was on its way has arrived, and one that comes later finds no zone.
      const fault = deletionFault(await contentsOf(tx, key))
      if (fault !== undefined) return fail(fault)
      await removeZone(tx, key)
      const entry = { action: 'deleteZone', target: { kind: 'zone', id: params.zoneId }, before: toFields(before) }
      await appendAudit(tx, { ids, caller, address, entry })
      return ok(undefined)
    }),
  ),
]

/** Only the fields that a patch names. */
const given = (patch: { readonly [Field in keyof ZoneFields]?: ZoneFields[Field] | undefined }): Partial<ZoneFields> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))

async function uniquelyNamed(change: () => Promise<Result<Zone, ApiError>>): Promise<Result<Zone, ApiError>> {
  try {
    return await change()
  } catch (error) {
    if (!isNameTaken(error)) throw error
    return fail({ error: 'duplicate', detail: 'a zone with this name exists already' })
  }
}
