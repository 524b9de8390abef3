import {
  getPerson,
  getPersonAccess,
  getPersonDetails,
  getPersonRights,
  getUsers,
  toRightSwitches,
} from '@sightline/contract/sub-users'
import type { Db, Tx } from '@sightline/platform/db'
import { type ServedRoute, serve, toStorePage } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { toNamePattern } from '../cameras/index.ts'
import { loadDetails } from '../user-details/index.ts'
import { toReply } from './reply.ts'
import { type CameraZones, isRightEnabled, visibleAccess } from './rules.ts'
import { countUsers, findUser, loadCameraZones, loadUsersPage, type StoredUser, withAccess } from './store.ts'

const noSuchUser = fail({ error: 'notFound' } as const)

/** The data about the users of an account. */
export const reading = ({ db }: { readonly db: Db }): readonly ServedRoute[] => {
  const find = <T>(
    caller: MemberCaller,
    userId: number,
    tell: (found: { readonly person: StoredUser; readonly cameras: CameraZones; readonly tx: Tx }) => T | Promise<T>,
  ) =>
    db.inTenant(caller, async (tx) => {
      const person = await findUser(tx, { accountId: caller.accountId, userId })
      if (person === undefined) return noSuchUser
      return ok(await tell({ person, cameras: await loadCameraZones(tx, caller.accountId), tx }))
    })

  return [
    serve(getUsers, async (caller, { query, page }) =>
      db.inTenant(caller, async (tx) => {
        const { accountId } = caller
        const blocked = query.blocked === undefined ? undefined : query.blocked === 'true'
        const filter = { pattern: toNamePattern(query.q), blocked }
        const found = await loadUsersPage(tx, accountId, { filter, question: page })
        const cameras = await loadCameraZones(tx, accountId)
        const people = new Map((await withAccess(tx, found.rows)).map((person) => [person.row.user_id, person]))
        const total = page.wantsCount ? await countUsers(tx, accountId, filter) : undefined
        const item = (row: { readonly user_id: number }) => {
          const person = people.get(row.user_id)
          if (person === undefined) throw new Error(`user ${row.user_id} came without access`)
          return toReply(person, { caller, cameras })
        }
        return ok(toStorePage(found, page, { item, total }))
      }),
    ),

    serve(getPerson, (caller, { params }) =>
      find(caller, params.userId, ({ person, cameras }) => toReply(person, { caller, cameras })),
    ),

    serve(getPersonDetails, (caller, { params }) =>
      find(caller, params.userId, ({ tx }) => loadDetails(tx, { accountId: caller.accountId, userId: params.userId })),
    ),

    serve(getPersonRights, (caller, { params }) =>
      find(caller, params.userId, ({ person }) => toRightSwitches((right) => isRightEnabled(person.holder, right))),
    ),

    serve(getPersonAccess, (caller, { params }) =>
      find(caller, params.userId, ({ person, cameras }) =>
        visibleAccess({ ...person.access, allCameras: person.holder.access.kind === 'all' }, { caller, cameras }),
      ),
    ),
  ]
}
