import { randomBytes } from 'node:crypto'
import type { ApiError } from '@sightline/contract/errors'
import {
  addExport,
  addExportLink,
  deleteExport,
  downloadExport,
  EXPORT_LINK_MS,
  EXPORT_PATH,
  getExport,
  getExportOptions,
  getExports,
  isDerived,
  verifyExportHash,
} from '@sightline/contract/exports'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { toDateTime } from '@sightline/contract/wire'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { enqueue } from '@sightline/platform/jobs'
import { fail, ok, type Result } from '@sightline/platform/result'
import { type MemberCaller, tokenSha256 } from '@sightline/platform/sessions'
import { loadBrandLogo } from './brand-logo.ts'
import { findExportFault, findQuotaFault, getExportDenyReason, noLogo } from './rules.ts'
import { passwordContext } from './sealing-contexts.ts'
import {
  camerasInScope,
  type ExportRow,
  estimateBytes,
  findExportRow,
  findSignedExport,
  insertExport,
  insertLink,
  listExports,
  lockExportRow,
  lockQuota,
  markRemoved,
  toExport,
} from './store.ts'

export type { ArtefactFiles } from './artefact-file.ts'
export { loadAsker } from './making-store.ts'
export { findQuotaFault, getExportDenyReason } from './rules.ts'
export { type FileRequest, fileSender, refuse, type SendFile, sendArtefact } from './send-artefact.ts'
export { camerasInScope, estimateBytes, insertExport, listExports, lockQuota, markRemoved } from './store.ts'

/** What the API needs of the part of the server that has the files. */
export interface ExportDesk {
  /** Removes the file of a canceled or deleted export immediately instead of in the next round. */
  readonly dropFile: (exportId: number) => Promise<void>
}

export interface ExportsDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly encryption: EnvelopeEncryption
  readonly exportDesk: ExportDesk
  readonly media: Pick<MediaPlane, 'encodes'>
  readonly mediaOrigin: (host: string) => string
  readonly now: () => number
}

const noSuchExport: ApiError = { error: 'notFound', detail: 'export not found: it may have expired or been deleted' }
const noSuchCamera: ApiError = { error: 'notFound', detail: 'camera not found' }
const noFootage: ApiError = { error: 'notFound', detail: 'no footage for the selected time' }
const notDone: ApiError = { error: 'businessRule', detail: 'the export is not done yet: wait until its status is Done' }

const TICKET_BYTES = 32

/** Exports as their users see them; `makeExport` makes their files. */
export const footageExports = (deps: ExportsDeps) => [adding(deps), ...reading(deps), removing(deps), ...links(deps)]

const adding = ({ ids, encryption, media, now }: ExportsDeps) =>
  serveChange(addExport, async (change, { body }) => {
    const { caller } = change
    const { cameraIds, from, till, format, name = '', reason = '', password, overlay, logo, speed = 1 } = body
    const watermark = body.watermark?.trim() || undefined
    const fault =
      getExportDenyReason(caller.rights) ??
      findExportFault({ ...body, watermark }, { now: now(), encodesPictures: media.encodes.pictures })
    if (fault !== undefined) return fail(fault)
    const task = isDerived({ overlay, watermark, logo, speed }) ? 'makeDerivedExport' : 'makeExport'
    const exportId = await ids.next()
    const { accountId, userId } = caller
    const key = { accountId, exportId }
    const passwordSealed = password === undefined ? undefined : encryption.seal(passwordContext(key), password)
    return change.tx(caller, async (tx) => {
      const cameras = await camerasInScope(tx, caller, cameraIds)
      if (cameras.length < cameraIds.length) return fail(noSuchCamera)
      if (!(await hasWantedLogo(tx, { accountId, logo }))) return fail(noLogo)
      const recordedBytes = await estimateBytes(tx, { accountId, cameraIds, from, till })
      if (recordedBytes === undefined) return fail(noFootage)
      const estimatedBytes = Math.ceil(recordedBytes / speed)
      const full = findQuotaFault(await lockQuota(tx, accountId), estimatedBytes)
      if (full !== undefined) return fail(full)
      const wanted = { cameraIds, from, till, format, name, reason, overlay, watermark, logo, speed }
      await insertExport(tx, { ...key, ...wanted, userId, passwordSealed, estimatedBytes, now: now() })
      await enqueue(tx, { task, payload: { ...key, userId }, jobKey: String(exportId) })
      const made = await findExportRow(tx, caller, exportId)
      if (made === undefined) return fail(noSuchExport)
      await change.audit({ action: addExport.name, target: { kind: 'export', id: exportId }, after: toAudited(made) })
      return ok(toExport(made))
    })
  })

const hasWantedLogo = async (
  tx: Tx,
  { accountId, logo = false }: { readonly accountId: number; readonly logo: boolean | undefined },
): Promise<boolean> => !logo || (await loadBrandLogo(tx, accountId)) !== undefined

/** An export as the audit log describes it. */
export const toAudited = (row: ExportRow) => ({
  cameraIds: [...row.camera_ids],
  from: toDateTime(row.started_at),
  till: toDateTime(row.ended_at),
  format: row.format,
  ...(row.name !== '' && { name: row.name }),
  ...(row.reason !== '' && { reason: row.reason }),
  ...(row.overlay && { overlay: true }),
  ...(row.watermark !== null && { watermark: row.watermark }),
  ...(row.logo && { logo: true }),
  ...(row.speed > 1 && { speed: row.speed }),
})

const reading = ({ db, media }: Pick<ExportsDeps, 'db' | 'media'>) => [
  serve(getExportOptions, async (caller) => {
    const { pictures, sound } = media.encodes
    const logo = pictures && (await db.inTenant(caller, (tx) => loadBrandLogo(tx, caller.accountId))) !== undefined
    return ok({ overlay: pictures, logo, sound })
  }),

  serve(getExports, async (caller) => ok(await db.inTenant(caller, (tx) => listExports(tx, caller)))),

  serve(getExport, async (caller, { params: { exportId } }) => {
    const row = await db.inTenant(caller, (tx) => findExportRow(tx, caller, exportId))
    return row === undefined ? fail(noSuchExport) : ok(toExport(row))
  }),

  serve(verifyExportHash, async (_caller, { params: { exportNumber }, body: { sha256 } }) => {
    const found = await findSignedExport(db.plain, exportNumber, Buffer.from(sha256, 'hex'))
    if (found === undefined) return ok({ valid: false, signer: null, signedAt: null })
    return ok({ valid: true, signer: found.signer, signedAt: toDateTime(found.exportedAt) })
  }),
]

const removing = ({ exportDesk, now }: ExportsDeps) =>
  serveChange(deleteExport, async (change, { params: { exportId } }) => {
    const { caller } = change
    const removed = await change.tx(caller, async (tx) => {
      const row = await lockExportRow(tx, caller, exportId)
      if (row === undefined) return fail(noSuchExport)
      await markRemoved(tx, { accountId: caller.accountId, exportId }, now())
      const target = { kind: 'export', id: exportId }
      await change.audit({ action: deleteExport.name, target, before: { ...toAudited(row), status: row.status } })
      return ok(undefined)
    })
    if (removed.ok) await exportDesk.dropFile(exportId)
    return removed
  })

/** An address that opens the file for this caller's session only. */
async function makeLink(
  { mediaOrigin, now }: Pick<ExportsDeps, 'mediaOrigin' | 'now'>,
  change: Pick<Change<MemberCaller>, 'caller' | 'tx'>,
  { exportId, host }: { readonly exportId: number; readonly host: string },
): Promise<Result<{ readonly url: string; readonly expiresAt: string }, ApiError>> {
  const { caller } = change
  const ticket = randomBytes(TICKET_BYTES).toString('base64url')
  return change.tx(caller, async (tx) => {
    const row = await findExportRow(tx, caller, exportId)
    if (row === undefined || (row.expires_at !== null && row.expires_at <= now())) return fail(noSuchExport)
    if (row.status !== 'Done') return fail(notDone)
    const fault = await findDownloadFault(tx, caller, row)
    if (fault !== undefined) return fail(fault)
    const { accountId } = caller
    const expiresAt = Math.min(now() + EXPORT_LINK_MS, row.expires_at ?? 0)
    const ticketSha256 = tokenSha256(ticket)
    await insertLink(tx, { accountId, exportId, ticketSha256, tokenSha256: caller.tokenSha256, expiresAt })
    // The same host and scheme as for sockets.
    const origin = mediaOrigin(host).replace(/^ws/, 'http')
    return ok({ url: `${origin}${EXPORT_PATH}?ticket=${ticket}`, expiresAt: toDateTime(expiresAt) })
  })
}

/** Why a member can't have the file, which may have been made when they had more rights. */
export async function findDownloadFault(
  tx: Parameters<typeof camerasInScope>[0],
  caller: MemberCaller,
  row: Pick<ExportRow, 'camera_ids' | 'has_sound'>,
): Promise<ApiError | undefined> {
  const fault = getExportDenyReason(caller.rights)
  if (fault !== undefined) return fault
  const cameras = await camerasInScope(tx, caller, row.camera_ids)
  if (cameras.length < row.camera_ids.length) return noSuchExport
  if (row.has_sound === true && !caller.rights.has('microphone'))
    return { error: 'notAuthorized', detail: 'the file has sound, which needs the right microphone' }
  return undefined
}

const links = (deps: ExportsDeps) => [
  serveChange(downloadExport, async (change, { params: { exportId }, host }) => {
    const made = await makeLink(deps, change, { exportId, host })
    if (!made.ok) return made
    const headers = { location: made.value.url, 'referrer-policy': 'no-referrer' }
    return ok({ status: 302, contentType: 'text/plain; charset=utf-8', bytes: Buffer.alloc(0), headers })
  }),

  serveChange(addExportLink, (change, { params: { exportId }, host }) => makeLink(deps, change, { exportId, host })),
]
