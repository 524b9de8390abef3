import { randomBytes } from 'node:crypto'
import type { ApiError } from '@sightline/contract/errors'
import {
  ACCOUNT_SHARE_PAGE,
  addShare,
  deleteShare,
  getShares,
  getShareViews,
  MAX_SHARES,
  openAccountShare,
  openPublicShare,
  PUBLIC_SHARE_PAGE,
} from '@sightline/contract/shares'
import { appendAudit } from '@sightline/platform/audit'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { enqueue } from '@sightline/platform/jobs'
import { fail, ok, type Result } from '@sightline/platform/result'
import { type MemberCaller, tokenSha256 } from '@sightline/platform/sessions'
import {
  camerasInScope,
  type ExportDesk,
  estimateBytes,
  findQuotaFault,
  getExportDenyReason,
  insertExport,
  lockQuota,
  markRemoved,
} from '../exports/index.ts'
import { noSuchShare, ShareOpener, toAuditedShare } from './open-share.ts'
import { findShareFault } from './rules.ts'
import { hashSharePassword } from './share-password.ts'
import {
  countShares,
  endShare,
  findShareOwner,
  findShareRow,
  insertShare,
  listShares,
  listViews,
  toShare,
} from './store.ts'

export interface SharesDeps {
  readonly db: Db
  /** Where those write who aren't signed in. */
  readonly deviceDb: Db
  readonly ids: IdSource
  readonly exportDesk: Pick<ExportDesk, 'dropFile'>
  readonly mediaOrigin: (host: string) => string
  readonly now: () => number
}

const noSuchCamera: ApiError = { error: 'notFound', detail: 'camera not found' }
const noFootage: ApiError = { error: 'notFound', detail: 'no footage for the selected time' }
const notFound: ApiError = { error: 'notFound', detail: 'share not found: it may have expired or been ended' }
const full: ApiError = { error: 'businessRule', detail: `the account has ${MAX_SHARES} shares: end one first` }

/** 128 bits (docs/design/security.md §6.4). */
export { listShares } from './store.ts'

const SECRET_BYTES = 16

/** Links to footage, for people who have no access to the camera. */
export const shares = (deps: SharesDeps) => [adding(deps), ...reading(deps), removing(deps), ...opening(deps)]

const adding = ({ ids, mediaOrigin, now }: SharesDeps) =>
  serveChange(addShare, async (change, { body, host }) => {
    const { caller } = change
    const { cameraId, from, till, expiresAt, name = '', password, public: isPublic = false } = body
    const fault = getExportDenyReason(caller.rights) ?? findShareFault(body, now())
    if (fault !== undefined) return fail(fault)
    const [exportId, shareId] = [await ids.next(), await ids.next()]
    const secret = randomBytes(SECRET_BYTES).toString('base64url')
    const passwordHash = password === undefined ? undefined : await hashSharePassword(password)
    const { accountId, userId } = caller
    const of = { accountId, userId, exportId, name, now: now() }
    return change.tx(caller, async (tx) => {
      const cameraIds = [cameraId]
      const estimated = await estimateCopy(tx, caller, { cameraIds, from, till, now: now() })
      if (!estimated.ok) return estimated
      const copied = { cameraIds, from, till, format: 'mp4', reason: '', passwordSealed: undefined } as const
      await insertExport(tx, { ...of, ...copied, estimatedBytes: estimated.value, keptUntil: expiresAt })
      await enqueue(tx, { task: 'makeExport', payload: { accountId, exportId, userId }, jobKey: String(exportId) })
      const secretSha256 = tokenSha256(secret)
      await insertShare(tx, { ...of, shareId, secretSha256, passwordHash, isPublic, expiresAt })
      const row = await findShareRow(tx, caller, { shareId, now: now() })
      if (row === undefined) return fail(notFound)
      await change.audit({ action: addShare.name, target: { kind: 'share', id: shareId }, after: toAuditedShare(row) })
      const page = isPublic ? PUBLIC_SHARE_PAGE : ACCOUNT_SHARE_PAGE
      return ok({ share: toShare(row), url: `${mediaOrigin(host).replace(/^ws/, 'http')}${page}#${secret}` })
    })
  })

/** How large the copy of the footage will be, bytes, if the account has room for it; locks the quota. */
async function estimateCopy(
  tx: Tx,
  caller: MemberCaller,
  { now, ...of }: { cameraIds: readonly number[]; from: number; till: number; now: number },
): Promise<Result<number, ApiError>> {
  const { accountId } = caller
  if ((await camerasInScope(tx, caller, of.cameraIds)).length === 0) return fail(noSuchCamera)
  const estimatedBytes = await estimateBytes(tx, { accountId, ...of })
  if (estimatedBytes === undefined) return fail(noFootage)
  const quota = findQuotaFault(await lockQuota(tx, accountId), estimatedBytes)
  if (quota !== undefined) return fail(quota)
  return (await countShares(tx, accountId, now)) < MAX_SHARES ? ok(estimatedBytes) : fail(full)
}

const reading = ({ db, now }: SharesDeps) => [
  serve(getShares, async (caller) => ok(await db.inTenant(caller, (tx) => listShares(tx, caller, now())))),

  serve(getShareViews, (caller, { params: { shareId } }) =>
    db.inTenant(caller, async (tx) => {
      const row = await findShareRow(tx, caller, { shareId, now: now() })
      return row === undefined
        ? fail(notFound)
        : ok({ views: await listViews(tx, { accountId: caller.accountId, shareId }) })
    }),
  ),
]

const removing = ({ exportDesk, now }: SharesDeps) =>
  serveChange(deleteShare, async (change, { params: { shareId } }) => {
    const { caller } = change
    const ended = await change.tx(caller, async (tx) => {
      const row = await findShareRow(tx, caller, { shareId, now: now() })
      const { accountId } = caller
      if (row === undefined || !(await endShare(tx, { accountId, shareId }, now()))) return fail(notFound)
      await markRemoved(tx, { accountId, exportId: row.export_id }, now())
      const target = { kind: 'share', id: shareId }
      await change.audit({ action: deleteShare.name, target, before: toAuditedShare(row) })
      return ok(row.export_id)
    })
    if (!ended.ok) return ended
    await exportDesk.dropFile(ended.value)
    return ok(undefined)
  })

const opening = ({ deviceDb, ids, mediaOrigin, now }: SharesDeps) => {
  const opener = new ShareOpener({ mediaOrigin, now })
  return [
    serve(openPublicShare, async (_caller, { body: { secret, password }, address, host }) => {
      const limited = opener.limit(address)
      if (limited !== undefined) return fail(limited)
      const key = await findShareOwner(deviceDb, tokenSha256(secret))
      if (key === undefined) return fail(noSuchShare)
      const { accountId, shareId } = key
      const request = { key, password, address, host, viewer: undefined }
      const checked = await opener.checkPassword(deviceDb, request)
      if (!checked.ok) return checked
      return deviceDb.inTenant({ accountId, userId: accountId }, async (tx) => {
        const opened = await opener.open(tx, request, checked.value)
        if (!opened.ok || opened.value.footage?.url == null) return opened
        const caller = { accountId, userId: null, clientId: 'sharedLink' }
        const entry = { action: openPublicShare.name, target: { kind: 'share', id: shareId } }
        await appendAudit(tx, { ids, caller, address, entry })
        return opened
      })
    }),

    serveChange(openAccountShare, async (change, { body: { secret, password }, address, host }) => {
      const { caller } = change
      const limited = opener.limit(address)
      if (limited !== undefined) return fail(limited)
      const key = await findShareOwner(deviceDb, tokenSha256(secret))
      if (key === undefined || key.accountId !== caller.accountId) return fail(noSuchShare)
      const request = { key, password, address, host, viewer: caller }
      const checked = await opener.checkPassword(deviceDb, request)
      if (!checked.ok) return checked
      return change.tx(caller, async (tx) => {
        const opened = await opener.open(tx, request, checked.value)
        if (opened.ok && opened.value.footage?.url != null)
          await change.audit({ action: openAccountShare.name, target: { kind: 'share', id: key.shareId } })
        return opened
      })
    }),
  ]
}
