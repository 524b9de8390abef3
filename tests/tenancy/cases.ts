import type { Referent, Route } from '@sightline/contract/wire'
import type { OwnedObject } from './canaries.ts'
import type { Call, FrameReply } from './frame.ts'
import type { GoodRequest, Ids, OperationCase, RequestScene } from './operation.ts'
import { getVerdict } from './oracle.ts'
import { maySee, type Who } from './principals.ts'
import { swappers } from './swappers.ts'
import { listObjects, usualIds } from './targets.ts'
import type { World } from './world.ts'

export interface Entry {
  /** The route's name, followed by words if there are several ways to make the call. */
  readonly title: string
  readonly route: Route
  readonly operation: OperationCase
}

/** One call by one caller, and its required outcome. */
export interface TenancyCase {
  readonly entry: Entry
  readonly who: Who
  readonly target: string
  readonly call: Call
  readonly expected: ExpectedOutcome
}

export type ExpectedOutcome =
  | 'token'
  | 'forbidden'
  | 'absent'
  | 'allowed'
  | { readonly likeAnswerTo: Call; readonly statuses: readonly number[] }

/** All cases to try for one call. */
export const listCases = (entry: Entry, world: World, everybody: readonly Who[]): TenancyCase[] =>
  everybody
    .filter((who, index) => isTried(entry, who, index))
    .flatMap((who) => [baseCase(entry, world, who), ...(swappers.has(who.name) ? swapCells(entry, world, who) : [])])

/** Of the callers with a single grant, a varying quarter tries calls that are not for their kind at all. */
function isTried({ route, operation: { policy } }: Entry, { is, name }: Who, index: number): boolean {
  const isForOthers =
    (is.kind === 'member' && policy.callers === 'staff') || (is.kind === 'staff' && policy.callers === 'members')
  return !isForOthers || !/^(sub-user|dealer) with [a-zA-Z]+$/.test(name) || (index + route.name.length) % 4 === 0
}

let made = 0
/** A unique text of letters and digits, so that it is a valid name everywhere. */
const freshText = (): string => {
  made += 1
  return `fresh${made}x`
}

/** The call as any caller can try it: on their own objects. */
export function baseCase(entry: Entry, world: World, who: Who): TenancyCase {
  const scene = sceneOf(entry, world, who)
  return {
    entry,
    who,
    target: 'own',
    call: callOf(entry.route, scene, sentOf(entry, scene)),
    expected: expectedOf(entry, scene),
  }
}

function sceneOf({ operation }: Entry, world: World, who: Who): RequestScene {
  const ids = { ...usualIds(world, who), ...operation.uses?.({ world, who }) }
  return { world, who, ids, fresh: freshText() }
}

const sentOf = ({ operation }: Entry, scene: RequestScene): GoodRequest => operation.send?.(scene) ?? {}

function expectedOf({ route, operation }: Entry, scene: RequestScene): ExpectedOutcome {
  const { who } = scene
  const verdict = getVerdict(operation.policy, route.method, who)
  if (verdict !== 'pass') return verdict
  const exception = operation.except?.(scene)
  if (exception !== undefined) return exception.verdict === 'pass' ? 'allowed' : exception.verdict
  const named = pathObjects(route, scene.ids, scene.world)
  if (!named.every((owned) => maySee(who, owned))) return 'absent'
  return operation.wholeZone === true && !named.every((owned) => holds(who, owned)) ? 'forbidden' : 'allowed'
}

/** The objects that the path's ids refer to. */
const pathObjects = (route: Route, ids: Ids, world: World): OwnedObject[] =>
  listIdFields(route, 'params').flatMap(
    ([, referent]) => listObjects(world, referent).find(({ id }) => id === ids[referent]) ?? [],
  )

export const listIdFields = (route: Route, where: 'params' | 'query' | 'body'): [name: string, referent: Referent][] =>
  Object.entries(route.ids)
    .filter(([place]) => place.startsWith(`${where}.`))
    .map(([place, referent]) => [place.slice(where.length + 1), referent])

/** Whether the caller has the whole zone, not just a camera in it. */
const holds = ({ is }: Who, owned: OwnedObject): boolean =>
  owned.kind !== 'zone' || is.kind !== 'member' || is.reach === 'all' || is.reach.zones.includes(owned.id)

function callOf(route: Route, { who, ids }: RequestScene, sent: GoodRequest): Call {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const referent = route.ids[`params.${name}`]
    const text = sent.params?.[name] ?? (referent === undefined ? undefined : String(ids[referent]))
    if (text === undefined) throw new Error(`${route.name}: no value for {${name}}`)
    return encodeURIComponent(text)
  })
  const query = new URLSearchParams(sent.query).toString()
  return {
    method: route.method,
    path: query === '' ? path : `${path}?${query}`,
    token: who.token,
    ...(sent.headers === undefined ? {} : { headers: sent.headers }),
    ...(sent.body === undefined && sent.text === undefined ? {} : { body: sent.body ?? sent.text }),
  }
}

/** Replaces each id of the call in turn by one outside the caller's scope: the answer must be that for an unknown id. */
function swapCells(entry: Entry, world: World, who: Who): TenancyCase[] {
  const { route } = entry
  const base = baseCase(entry, world, who)
  if (base.expected !== 'allowed' && base.expected !== 'absent') return []
  const referring = Object.entries(route.ids).filter(([place]) => entry.operation.chosen?.includes(place) !== true)
  return referring.flatMap(([place, referent]) => {
    const scene = sceneOf(entry, world, who)
    const sent = sentOf(entry, scene)
    // A field that the request does not send could contradict it; another entry sends that field.
    if (place.startsWith('body.') && !Object.hasOwn(sent.body ?? {}, place.slice('body.'.length))) return []
    const swapped = (id: number): Call => swappedCall(route, { scene, sent }, { place, referent, id })
    const expected = { likeAnswerTo: swapped(world.nowhere), statuses: statusesAt(entry, place) }
    return strangers(entry, scene, { place, referent }).map(({ owned, label }) => ({
      entry,
      who,
      target: `${place} ${label}`,
      call: swapped(owned.id),
      expected,
    }))
  })
}

function swappedCall(
  route: Route,
  { scene, sent }: { scene: RequestScene; sent: GoodRequest },
  { place, referent, id }: { place: string; referent: Referent; id: number },
): Call {
  const [where = '', name = ''] = place.split('.', 2)
  switch (where) {
    case 'params':
      return callOf(
        route,
        { ...scene, ids: { ...scene.ids, [referent]: id } },
        { ...sent, params: { ...sent.params, [name]: String(id) } },
      )
    case 'query':
      return callOf(route, scene, { ...sent, query: { ...sent.query, [name]: String(id) } })
    default:
      return callOf(route, scene, { ...sent, body: { ...sent.body, [name]: name.endsWith('Ids') ? [id] : id } })
  }
}

function statusesAt({ route, operation }: Entry, place: string): readonly number[] {
  const rule = operation.foreign?.[place] ?? (place.startsWith('query.') ? 'ignored' : 404)
  return rule === 'ignored' ? [route.status] : [rule]
}

interface Stranger {
  readonly owned: OwnedObject
  readonly label: string
}

/** Objects of that kind outside the caller's scope, and one of the own account of another kind. */
function strangers(entry: Entry, scene: RequestScene, at: { place: string; referent: Referent }): Stranger[] {
  const { world, who } = scene
  const found = listObjects(world, at.referent)
    .filter((owned) => !maySee(who, owned) || !fits(entry, scene, { place: at.place, owned }))
    .map((owned) => ({ owned, label: labelOf(scene, owned) }))
  const otherKind = listObjects(world, at.referent === 'camera' ? 'zone' : 'camera').find(
    ({ accountId }) => accountId === scene.ids.account,
  )
  // One object per label is enough; otherwise all the world's objects would be tried.
  const sorts = new Map(found.map((stranger) => [stranger.label, stranger]))
  if (otherKind !== undefined) sorts.set('of another kind', { owned: otherKind, label: 'of another kind' })
  return [...sorts.values()]
}

function labelOf({ world, ids }: RequestScene, owned: OwnedObject): string {
  if (owned.accountId === ids.account) return 'own but not granted'
  const home = owned.resellerId === world.own.resellerId ? 'the own reseller' : undefined
  if (home !== undefined)
    return owned.accountId === undefined ? `${home}, not granted` : 'another account of the reseller'
  if (owned.resellerId === undefined) return 'another distributor'
  return owned.distributorId === world.near.distributorId ? 'another reseller' : 'a reseller of another distributor'
}

/** Whether the path's objects lie on one branch of the tree. */
function fits(
  { route, operation }: Entry,
  { ids, world }: RequestScene,
  { place, owned }: { place: string; owned: OwnedObject },
): boolean {
  const referring = listIdFields(route, 'params').filter(
    ([name]) => operation.chosen?.includes(`params.${name}`) !== true,
  )
  const line = referring.flatMap(([name, referent]) =>
    `params.${name}` === place ? owned : (listObjects(world, referent).find(({ id }) => id === ids[referent]) ?? []),
  )
  if (!place.startsWith('params.')) return true
  return (['distributorId', 'resellerId', 'accountId'] as const).every(
    (level) => new Set(line.map((object) => object[level]).filter((id) => id !== undefined)).size <= 1,
  )
}

/** The answer without its id, to compare byte for byte with the answer to another id. */
export const comparable = ({ status, headers, text }: FrameReply, id: string): string =>
  [status, headers.replace(/^content-length: .*\n?/m, ''), text].join('\n').replaceAll(id, '<id>')
