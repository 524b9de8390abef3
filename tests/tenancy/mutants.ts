/** A table of mutants: typical bugs of such systems, each planted in one call for the test to find. */
import { type AuditActor, appendAudit } from '@sightline/platform/audit'
import { type IdSource, instant, PROVIDER_ID, type Tx } from '@sightline/platform/db'
import type { Change, ServedRoute } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import type { TenancyFixture } from './fixture.ts'
import { ALL_RIGHTS } from './principals.ts'

export interface Mutant {
  readonly kind: string
  /** The call with the bug. */
  readonly route: string
  plant(served: ServedRoute, fixture: TenancyFixture): ServedRoute
}

/** The parts of a request that mutants use. */
interface Asked {
  readonly params: Readonly<Record<string, number>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
  readonly address: string
}
/** A caller of either kind; mutants override its fields. */
interface Caller {
  readonly accountId: number
  readonly userId: number
  readonly resellerId: number
}

type Reading = NonNullable<ServedRoute['handler']>
type Changing = NonNullable<ServedRoute['changeHandler']>
type Handler = (caller: Caller, asked: Asked) => ReturnType<Reading>

/** The change of each writing request, which the original handler needs. */
const changes = new WeakMap<Asked, Change>()

const handledBy = (served: ServedRoute, handler: Handler): ServedRoute => {
  const { changeHandler } = served
  if (changeHandler === undefined) return { ...served, handler: handler as unknown as Reading }
  const changing = (change: Change, asked: Asked) => {
    changes.set(asked, change)
    return handler(change.caller as Caller, asked)
  }
  return { ...served, changeHandler: changing as unknown as Changing }
}

const original =
  ({ handler, changeHandler, changeDeps }: ServedRoute): Handler =>
  (caller, asked) => {
    const change = changes.get(asked)
    if (change === undefined || changeHandler === undefined) return (handler as unknown as Handler)(caller, asked)
    const posing = caller === change.caller ? change : posingAs(caller, { change, asked, ids: changeDeps?.ids })
    return changeHandler(posing as never, asked as never)
  }

/** The change under another caller's identity, without the reauthorization noticing. */
function posingAs(caller: Caller, of: { change: Change; asked: Asked; ids: IdSource | undefined }): Change<Caller> {
  const { change, asked, ids } = of
  let current: Tx | undefined
  return {
    caller,
    tx: (scope, work) =>
      change.tx(scope, (tx) => {
        current = tx
        return work(tx)
      }),
    reauthorize: async () => ok(caller),
    async audit(entry) {
      if (current === undefined || ids === undefined) throw new Error('an entry belongs to a transaction')
      await appendAudit(current, { ids, caller: caller as unknown as AuditActor, address: asked.address, entry })
    },
    notify: (send) => change.notify(send),
    ifMatch: (state) => change.ifMatch(state),
    conditionFailure: (state) => change.conditionFailure(state),
    confirm: () => change.confirm(),
  }
}

const as = (caller: Caller, what: Readonly<Record<string, unknown>>): Caller => ({ ...caller, ...what })

/** Derived, not copied: getters such as the page's throw when they are read without a page. */
const withParams = (asked: Asked, params: Asked['params']): Asked => Object.create(asked, { params: { value: params } })

type Declared = Partial<Record<keyof ServedRoute['route'], unknown>>
const declared =
  (change: Declared) =>
  (served: ServedRoute): ServedRoute => ({ ...served, route: { ...served.route, ...change } as ServedRoute['route'] })

/** Missing or wrong declarations. */
const declarations: readonly Mutant[] = [
  { kind: 'the right is not checked', route: 'getUsers', plant: declared({ right: undefined }) },
  { kind: 'the wrong right is checked', route: 'blockPerson', plant: declared({ right: 'editUser' }) },
  {
    kind: 'being the owner is not checked',
    route: 'getSupportSessions',
    plant: declared({ superUserOnly: undefined }),
  },
  { kind: 'support is allowed', route: 'patchUser', plant: declared({ support: 'yes' }) },
  { kind: 'support gets streams without video', route: 'getStreams', plant: declared({ support: 'yes' }) },
  { kind: 'an API key is allowed', route: 'getUsers', plant: declared({ apiKey: undefined }) },
  { kind: 'a demo user is allowed', route: 'patchTimeZone', plant: declared({ changesNothing: true }) },
  { kind: 'the scope is not checked', route: 'patchTimeZone', plant: declared({ anyScope: true }) },
  {
    kind: 'an inactive account is allowed',
    route: 'patchSubscription',
    plant: declared({ activeAccountOnly: undefined }),
  },
  { kind: 'the permission is not checked', route: 'getResellerAccounts', plant: declared({ permission: undefined }) },
  { kind: 'the level is not checked', route: 'getDistributors', plant: declared({ level: undefined }) },
  { kind: 'no token is required', route: 'getAuditActions', plant: declared({ access: 'public' }) },
]

const owner = (fixture: TenancyFixture) => fixture.database.db('owner')

/** Objects that are not checked, or not well enough. */
const objects: readonly Mutant[] = [
  {
    kind: 'a camera of any account is found',
    route: 'getCamera',
    plant: (served, fixture) =>
      handledBy(served, async (caller, asked) => {
        const camera = await owner(fixture)
          .plain.selectFrom('cameras')
          .select('account_id')
          .where('camera_id', '=', asked.params.cameraId ?? 0)
          .executeTakeFirst()
        const accountId = camera?.account_id ?? caller.accountId
        return original(served)(as(caller, { accountId, access: { kind: 'all' } }), asked)
      }),
  },
  {
    kind: 'every camera of the account is found',
    route: 'getRecordingTimeline',
    plant: (served) =>
      handledBy(served, (caller, asked) => original(served)(as(caller, { access: { kind: 'all' } }), asked)),
  },
  {
    kind: 'the list is not limited to accessible cameras',
    route: 'getCameras',
    plant: (served) =>
      handledBy(served, (caller, asked) => original(served)(as(caller, { access: { kind: 'all' } }), asked)),
  },
  {
    kind: 'a filter widens the access',
    route: 'getCameraStatuses',
    plant: (served) =>
      handledBy(served, (caller, asked) =>
        original(served)(asked.query.cameraIds === undefined ? caller : as(caller, { access: { kind: 'all' } }), asked),
      ),
  },
  {
    kind: 'the reseller is not checked',
    route: 'getReseller',
    plant: (served) => handledBy(served, (caller, asked) => original(served)(as(caller, { level: 'admin' }), asked)),
  },
  {
    kind: 'staff limited to some accounts can access all',
    route: 'getResellerAccount',
    plant: (served) =>
      handledBy(served, (caller, asked) => original(served)(as(caller, { accountIds: undefined }), asked)),
  },
  {
    kind: 'only the last id of a path is checked',
    route: 'getAccountUser',
    plant: (served, fixture) =>
      handledBy(served, async (caller, asked) => {
        const user = await owner(fixture)
          .plain.selectFrom('users')
          .select(['account_id', 'reseller_id'])
          .where('user_id', '=', asked.params.userId ?? 0)
          .executeTakeFirst()
        const line: Asked['params'] =
          user === undefined ? {} : { accountId: user.account_id, resellerId: user.reseller_id }
        return original(served)(caller, withParams(asked, { ...asked.params, ...line }))
      }),
  },
  {
    kind: 'foreign and nonexistent objects answer differently',
    route: 'getZone',
    plant: (served, fixture) =>
      handledBy(served, async (caller, asked) => {
        const answer = await original(served)(caller, asked)
        if (answer.ok) return answer
        const zone = await zoneNamed(fixture, asked.params.zoneId ?? 0)
        return zone === undefined ? answer : fail({ error: 'notAuthorized', detail: 'this zone is not yours' })
      }),
  },
  {
    kind: 'an error reveals the name of a foreign object',
    route: 'getZone',
    plant: (served, fixture) =>
      handledBy(served, async (caller, asked) => {
        const answer = await original(served)(caller, asked)
        if (answer.ok) return answer
        const zone = await zoneNamed(fixture, asked.params.zoneId ?? 0)
        return zone === undefined ? answer : fail({ error: 'notFound', detail: `${zone.name} is not yours` })
      }),
  },
]

const zoneNamed = (fixture: TenancyFixture, zoneId: number) =>
  owner(fixture).plain.selectFrom('zones').select('name').where('zone_id', '=', zoneId).executeTakeFirst()

/** Wrong writes, caching or output. */
const effects: readonly Mutant[] = [
  {
    kind: 'the account in a body is trusted',
    route: 'patchTimeZone',
    plant: (served) =>
      handledBy({ ...served, route: { ...served.route, body: z.looseObject({}) } }, (caller, asked) =>
        original(served)(as(caller, { accountId: Number(asked.body.accountId ?? caller.accountId) }), asked),
      ),
  },
  {
    kind: 'a change is not in the audit log',
    route: 'patchTimeZone',
    plant: (served, fixture) =>
      handledBy(served, async (caller, { body }) => {
        const timeZone = String(body.timeZone)
        await owner(fixture)
          .plain.updateTable('accounts')
          .set({ time_zone: timeZone })
          .where('account_id', '=', caller.accountId)
          .execute()
        return ok({ timeZone })
      }),
  },
  {
    kind: 'the audit log names another user',
    route: 'patchTimeZone',
    plant: (served) =>
      handledBy(served, (caller, asked) =>
        original(served)(as(caller, { userId: caller.accountId, support: undefined }), asked),
      ),
  },
  {
    kind: 'a refused call still makes a change',
    route: 'getCameraStatus',
    plant: (served, fixture) =>
      handledBy(served, async (caller, asked) => {
        const seen = { last_seen: instant(Date.now()) }
        const cameraId = asked.params.cameraId ?? 0
        await owner(fixture).plain.updateTable('camera_status').set(seen).where('camera_id', '=', cameraId).execute()
        return original(served)(caller, asked)
      }),
  },
  {
    kind: 'a change affects other accounts',
    route: 'patchTimeZone',
    plant: (served, fixture) =>
      handledBy(served, async (caller, asked) => {
        await owner(fixture)
          .plain.updateTable('accounts')
          .set({ time_zone: 'Europe/Paris' })
          .where('reseller_id', '=', caller.resellerId)
          .execute()
        return original(served)(caller, asked)
      }),
  },
  {
    kind: 'a reply is cached for the next caller',
    route: 'getUser',
    plant: (served) => {
      let kept: ReturnType<Reading> | undefined
      return handledBy(served, (caller, asked) => {
        kept ??= original(served)(caller, asked)
        return kept
      })
    },
  },
  {
    kind: 'a count includes hidden objects',
    route: 'getUsers',
    plant: (served) =>
      handledBy(served, async (caller, asked) => {
        const answer = await original(served)(caller, asked)
        const page = answer.ok ? (answer.value as { total?: number }) : {}
        return answer.ok && page.total !== undefined ? ok({ ...page, total: page.total + 1 }) : answer
      }),
  },
  {
    kind: 'a search finds inaccessible objects',
    route: 'getZones',
    plant: (served) =>
      handledBy(served, (caller, asked) =>
        original(served)(asked.query.q === undefined ? caller : as(caller, { access: { kind: 'all' } }), asked),
      ),
  },
  {
    kind: 'a reply shows a secret',
    route: 'getCamera',
    plant: (served, fixture) =>
      handledBy(served, async (caller, asked) => {
        const answer = await original(served)(caller, asked)
        if (!answer.ok) return answer
        const { main_path: brand } = await owner(fixture)
          .plain.selectFrom('cameras')
          .select('main_path')
          .where('camera_id', '=', asked.params.cameraId ?? 0)
          .executeTakeFirstOrThrow()
        return ok({ ...(answer.value as object), brand })
      }),
  },
  {
    kind: 'the picture is not blurred',
    route: 'getSnapshot',
    plant: (served) =>
      handledBy(served, (caller, asked) => original(served)(as(caller, { support: undefined }), asked)),
  },
]

export const mutants: readonly Mutant[] = [...declarations, ...objects, ...effects]

/** A list of profiles without a tenant filter, under a database role: row-level security may stop it. */
export const forgetfulList = (served: ServedRoute, fixture: TenancyFixture, role: 'owner' | 'app'): ServedRoute =>
  handledBy(served, async (caller) => {
    const rows = await fixture.database
      .db(role)
      .inTenant(caller, (tx) =>
        tx
          .selectFrom('permission_profiles')
          .select(['permission_profile_id', 'organisation_id', 'name'])
          .where('scope', '=', 'account')
          .execute(),
      )
    return ok(
      rows.map((row) => ({
        permissionProfileId: row.permission_profile_id,
        name: row.name,
        scope: 'account',
        rights: Object.fromEntries(ALL_RIGHTS.map((right) => [right, false])),
        users: 0,
        builtin: row.organisation_id === PROVIDER_ID,
      })),
    )
  })
