import type { ApiError } from '@sightline/contract/errors'
import {
  type CameraGroup,
  deleteCameraGroup,
  deleteLayout,
  deleteSequence,
  getCameraGroups,
  getLayouts,
  getSequences,
  type Layout,
  MAX_SAVED_VIEWS,
  patchCameraGroup,
  patchLayout,
  patchSequence,
  postCameraGroup,
  postLayout,
  postSequence,
  type Sequence,
} from '@sightline/contract/saved-views'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { type Change, type ServedRoute, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { lockUsers } from '../permission-profiles/index.ts'
import {
  type GroupContent,
  groupKind,
  type LayoutContent,
  layoutKind,
  type SequenceContent,
  sequenceKind,
  type ViewKind,
} from './kinds.ts'
import {
  countSavedViews,
  hasCameras,
  insertSavedView,
  listSavedViews,
  removeSavedView,
  type SavedView,
  saveSavedView,
} from './store.ts'

interface Deps {
  readonly db: Db
  readonly ids: IdSource
}

/** Camera groups, sequences and layouts (api.md §10). */
export const savedViews = (deps: Deps): readonly ServedRoute[] => [
  ...cameraGroups(deps),
  ...sequences(deps),
  ...layouts(deps),
]

const notThere: ApiError = { error: 'notFound' }
const noSuchCamera: ApiError = { error: 'notFound', detail: 'camera not found' }
/** Otherwise the cameras that the caller doesn't see would leave it unnoticed. */
const notWhole: ApiError = { error: 'notAuthorized', detail: 'this needs access to all of its cameras' }
const notShared: ApiError = { error: 'notAuthorized', detail: 'only the account owner can change what all users have' }
const full: ApiError = { error: 'businessRule', detail: `at most ${MAX_SAVED_VIEWS} can be saved: delete one first` }

const toGroup = ({ savedViewId, name, whole, createdAt, content }: SavedView<GroupContent>): CameraGroup => ({
  cameraGroupId: savedViewId,
  name,
  whole,
  createdAt,
  cameraIds: content.cameraIds,
})

function cameraGroups({ db, ids }: Deps): readonly ServedRoute[] {
  return [
    serve(getCameraGroups, (caller) => readAll(db, caller, groupKind, toGroup)),
    serveChange(postCameraGroup, async (change, { body: { name, cameraIds } }) =>
      add(change, { of: groupKind, id: await ids.next(), view: { name, content: { cameraIds } }, toReply: toGroup }),
    ),
    serveChange(patchCameraGroup, (change, { params, body }) =>
      update(change, groupKind, params.cameraGroupId, {
        toReply: toGroup,
        patch: ({ content }) => ({ name: body.name, content: { cameraIds: body.cameraIds ?? content.cameraIds } }),
      }),
    ),
    serveChange(deleteCameraGroup, (change, { params }) => remove(change, groupKind, params.cameraGroupId)),
  ]
}

const toSequence = ({ savedViewId, name, whole, createdAt, content }: SavedView<SequenceContent>): Sequence => ({
  sequenceId: savedViewId,
  name,
  whole,
  createdAt,
  steps: content.steps,
})

function sequences({ db, ids }: Deps): readonly ServedRoute[] {
  return [
    serve(getSequences, (caller) => readAll(db, caller, sequenceKind, toSequence)),
    serveChange(postSequence, async (change, { body: { name, steps } }) =>
      add(change, { of: sequenceKind, id: await ids.next(), view: { name, content: { steps } }, toReply: toSequence }),
    ),
    serveChange(patchSequence, (change, { params, body }) =>
      update(change, sequenceKind, params.sequenceId, {
        toReply: toSequence,
        patch: ({ content }) => ({ name: body.name, content: { steps: body.steps ?? content.steps } }),
      }),
    ),
    serveChange(deleteSequence, (change, { params }) => remove(change, sequenceKind, params.sequenceId)),
  ]
}

const toLayout = ({ savedViewId, userId, name, whole, createdAt, content }: SavedView<LayoutContent>): Layout => ({
  layoutId: savedViewId,
  name,
  whole,
  createdAt,
  grid: content.grid,
  tiles: content.tiles,
  shared: userId === null,
})

function layouts({ db, ids }: Deps): readonly ServedRoute[] {
  return [
    serve(getLayouts, (caller) => readAll(db, caller, layoutKind, toLayout)),
    serveChange(postLayout, async (change, { body: { name, grid, tiles, shared = false } }) => {
      const view = { name, content: { grid, tiles }, isOwn: !shared }
      return add(change, { of: layoutKind, id: await ids.next(), view, toReply: toLayout })
    }),
    serveChange(patchLayout, (change, { params, body }) =>
      update(change, layoutKind, params.layoutId, {
        toReply: toLayout,
        patch: ({ content, userId }) => ({
          name: body.name,
          content: { grid: body.grid ?? content.grid, tiles: body.tiles ?? content.tiles },
          isOwn: body.shared === undefined ? userId !== null : !body.shared,
        }),
      }),
    ),
    serveChange(deleteLayout, (change, { params }) => remove(change, layoutKind, params.layoutId)),
  ]
}

const readAll = <Content, Reply>(
  db: Db,
  caller: MemberCaller,
  of: ViewKind<Content>,
  toReply: (view: SavedView<Content>) => Reply,
) => db.inTenant(caller, async (tx) => ok((await listSavedViews(tx, caller, of)).map(toReply)))

type Named = Pick<ViewKind<unknown>, 'kind'>

interface Wanted<Content> {
  readonly content: Content
  /** A layout that only the caller has. */
  readonly isOwn?: boolean
}

interface Addition<Content, Reply> {
  readonly of: ViewKind<Content>
  readonly id: number
  readonly view: Wanted<Content> & { readonly name: string }
  readonly toReply: (view: SavedView<Content>) => Reply
}

type ChangeOf<Reply> = Change<MemberCaller, Reply>

function add<Content, Reply>(
  change: ChangeOf<Reply>,
  { of, id, view: { isOwn = false, ...view }, toReply }: Addition<Content, Reply>,
): Promise<Result<Reply, ApiError>> {
  return changing(change, async (tx, caller) => {
    const { accountId } = caller
    const userId = isOwn ? caller.userId : null
    const fault = await findFault(tx, caller, of, { userId, ...view })
    if (fault !== undefined) return fail(fault)
    if ((await countSavedViews(tx, { accountId, kind: of.kind, userId })) >= MAX_SAVED_VIEWS) return fail(full)
    await insertSavedView(tx, { accountId, savedViewId: id, kind: of.kind }, { userId, ...view })
    const [made] = await listSavedViews(tx, caller, of, id)
    if (made === undefined) return fail(notThere)
    await change.audit({ action: `post${nounOf(of)}`, target: targetOf(of, id), after: toAudited(of, made) })
    return ok(toReply(made))
  })
}

interface Update<Content, Reply> {
  readonly toReply: (view: SavedView<Content>) => Reply
  readonly patch: (before: SavedView<Content>) => Wanted<Content> & { readonly name: string | undefined }
}

function update<Content, Reply>(
  change: ChangeOf<Reply>,
  of: ViewKind<Content>,
  savedViewId: number,
  { toReply, patch }: Update<Content, Reply>,
): Promise<Result<Reply, ApiError>> {
  return changing(change, async (tx, caller) => {
    const before = await findChangeable(tx, caller, of, savedViewId)
    if (!before.ok) return before
    change.ifMatch(toReply(before.value))
    const { name = before.value.name, content, isOwn = false } = patch(before.value)
    const next = { name, content, userId: isOwn ? caller.userId : null }
    const fault = await findFault(tx, caller, of, next)
    if (fault !== undefined) return fail(fault)
    await saveSavedView(tx, { accountId: caller.accountId, savedViewId }, next)
    const after = { ...before.value, ...next }
    const audited = { before: toAudited(of, before.value), after: toAudited(of, after) }
    await change.audit({ action: `patch${nounOf(of)}`, target: targetOf(of, savedViewId), ...audited })
    return ok(toReply(after))
  })
}

function remove<Content>(
  change: ChangeOf<undefined>,
  of: ViewKind<Content>,
  savedViewId: number,
): Promise<Result<undefined, ApiError>> {
  return changing(change, async (tx, caller) => {
    const before = await findChangeable(tx, caller, of, savedViewId)
    if (!before.ok) return before
    await removeSavedView(tx, { accountId: caller.accountId, savedViewId })
    const entry = { action: `delete${nounOf(of)}`, target: targetOf(of, savedViewId) }
    await change.audit({ ...entry, before: toAudited(of, before.value) })
    return ok(undefined)
  })
}

async function findChangeable<Content>(
  tx: Tx,
  caller: MemberCaller,
  of: ViewKind<Content>,
  savedViewId: number,
): Promise<Result<SavedView<Content>, ApiError>> {
  const [found] = await listSavedViews(tx, caller, of, savedViewId)
  if (found === undefined) return fail(notThere)
  if (isOthersToo(of, found) && !caller.isSuperUser) return fail(notShared)
  return found.whole ? ok(found) : fail(notWhole)
}

const isOthersToo = (of: Named, { userId }: { readonly userId: number | null }) =>
  of.kind === layoutKind.kind && userId === null

async function findFault<Content>(
  tx: Tx,
  caller: MemberCaller,
  of: ViewKind<Content>,
  { content, userId }: { readonly content: Content; readonly userId: number | null },
): Promise<ApiError | undefined> {
  if (isOthersToo(of, { userId }) && !caller.isSuperUser) return notShared
  return (await hasCameras(tx, caller, of.camerasOf(content))) ? undefined : noSuchCamera
}

const nounOf = ({ kind }: Named): string => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`

const targetOf = ({ kind }: Named, id: number) => ({ kind, id })

const toAudited = <Content>(
  { kind }: ViewKind<Content>,
  { name, content, userId }: Pick<SavedView<Content>, 'name' | 'content' | 'userId'>,
) => ({
  name,
  ...content,
  ...(kind === layoutKind.kind && { shared: userId === null }),
})

/** Changes of an account's views run one after the other, and after changes of rights and access. */
function changing<Reply, Value>(
  change: Pick<ChangeOf<Reply>, 'caller' | 'tx' | 'reauthorize'>,
  work: (tx: Tx, caller: MemberCaller) => Promise<Result<Value, ApiError>>,
): Promise<Result<Value, ApiError>> {
  return change.tx(change.caller, async (tx) => {
    await lockUsers(tx, change.caller.accountId)
    const caller = await change.reauthorize()
    return caller.ok ? work(tx, caller.value) : caller
  })
}
