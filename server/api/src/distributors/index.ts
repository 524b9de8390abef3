import type { AuthPlane } from '@sightline/contract/auth-plane'
import {
  addDistributor,
  deleteDistributor,
  getDistributor,
  getDistributors,
  patchDistributor,
} from '@sightline/contract/distributors'
import type { ApiError } from '@sightline/contract/errors'
import type { Db, IdSource } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { StaffCaller } from '@sightline/platform/sessions'
import { applied, applyContactPatch, mapFailures } from './rules.ts'
import {
  findDistributor,
  insertDistributor,
  isDistributor,
  isDistributorNameTaken,
  isStillReferenced,
  listDistributors,
  lockDistributor,
  PROVIDER,
  removeDistributor,
  saveDistributor,
} from './store.ts'

/** The id of the distributor in an address; undefined if it doesn't exist or the caller has no access to it. */
export async function findDistributorInScope(
  db: Db,
  caller: StaffCaller,
  named: number | 'self',
): Promise<number | undefined> {
  const distributorId = named === 'self' ? caller.distributorId : named
  const isOwn = caller.level === 'distributor' && caller.distributorId === distributorId
  if (distributorId === undefined || !(isOwn || caller.level === 'admin')) return undefined
  return (await isDistributor(db.plain, distributorId)) ? distributorId : undefined
}

export { applied, applyContactPatch, mapFailures } from './rules.ts'

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly auth: Pick<AuthPlane, 'forgetUser'>
}

export const distributors = (deps: Deps) => [...keeping(deps), ...leaving(deps)]

const keeping = ({ db, ids }: Deps) => [
  serve(getDistributors, async (caller) => ok(await db.inOrganisation(scopeOf(caller), listDistributors))),

  serveChange(addDistributor, async (change, { body }) => {
    const { caller } = change
    const distributorId = await ids.next()
    const { email = null, country = null } = body
    const given = { distributorId, name: body.name, email, country }
    const contactDetails = applyContactPatch({}, body.contactDetails)
    return mapFailures(
      () =>
        change.tx({ ...scopeOf(caller), distributorId }, async (tx) => {
          await insertDistributor(tx, { ...given, contactDetails })
          const added = await findDistributor(tx, distributorId)
          if (added === undefined) throw new Error(`distributor ${distributorId} not found after it was created`)
          const target = { kind: 'distributor', id: distributorId }
          const entry = { action: 'addDistributor', accountId: PROVIDER, target, after: added }
          await change.audit(entry)
          return ok(added)
        }),
      nameError,
    )
  }),

  serve(getDistributor, async (caller, { params }) => {
    const distributorId = await findDistributorInScope(db, caller, params.distributorId)
    if (distributorId === undefined) return fail({ error: 'notFound' })
    const scope = { organisationId: distributorId, userId: caller.userId }
    const found = await db.inOrganisation(scope, (tx) => findDistributor(tx, distributorId))
    return found === undefined ? fail({ error: 'notFound' }) : ok(found)
  }),

  serveChange(patchDistributor, async (change, { params, body }) => {
    const { caller } = change
    const distributorId = await findDistributorInScope(db, caller, params.distributorId)
    if (distributorId === undefined) return fail({ error: 'notFound' })
    return mapFailures(
      () =>
        change.tx({ ...scopeOf(caller), distributorId }, async (tx) => {
          const before = await lockDistributor(tx, distributorId)
          if (before === undefined) return fail({ error: 'notFound' })
          change.ifMatch(before)
          const contactDetails = applyContactPatch(before.contactDetails, body.contactDetails)
          const after = applied(before, { ...body, contactDetails })
          await saveDistributor(tx, after)
          const target = { kind: 'distributor', id: distributorId }
          const entry = { action: 'patchDistributor', accountId: PROVIDER, target, before, after }
          await change.audit(entry)
          return ok(after)
        }),
      nameError,
    )
  }),
]

const leaving = ({ db, auth }: Deps) => [
  serveChange(deleteDistributor, async (change, { params }) => {
    const { caller } = change
    const distributorId = await findDistributorInScope(db, caller, params.distributorId)
    if (distributorId === undefined) return fail({ error: 'notFound' })
    const removed = await mapFailures(
      () =>
        change.tx({ ...scopeOf(caller), organisationId: distributorId, distributorId }, async (tx) => {
          const before = await lockDistributor(tx, distributorId)
          if (before === undefined) return fail({ error: 'notFound' })
          const detail = `the distributor has ${before.resellers} resellers: delete or move them first`
          if (before.resellers > 0) return fail({ error: 'businessRule', detail })
          const target = { kind: 'distributor', id: distributorId }
          const entry = { action: 'deleteDistributor', accountId: distributorId, target, before }
          await change.audit(entry)
          return ok(await removeDistributor(tx, distributorId))
        }),
      (error) =>
        isStillReferenced(error) ? { error: 'businessRule', detail: 'the distributor is still in use' } : undefined,
    )
    if (!removed.ok) return removed
    for (const userId of removed.value) await auth.forgetUser({ userId })
    return ok(undefined)
  }),
]

const scopeOf = (caller: StaffCaller) => ({ organisationId: PROVIDER, userId: caller.userId, isProvider: true })

const nameError = (error: unknown): ApiError | undefined =>
  isDistributorNameTaken(error)
    ? { error: 'duplicate', detail: 'a distributor with this name already exists' }
    : undefined
