import type { ApiError } from '@sightline/contract/errors'
import { downloadExport } from '@sightline/contract/exports'
import { getDenyReason } from '@sightline/contract/rights'
import { appendAudit } from '@sightline/platform/audit'
import type { Db, IdSource } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { attachment } from '@sightline/platform/file-reply'
import type { Logger } from '@sightline/platform/log'
import { fail, ok, type Result } from '@sightline/platform/result'
import { isAllowedAddress, type MemberCaller, type SessionReader, tokenSha256 } from '@sightline/platform/sessions'
import type { ArtefactFiles } from './artefact-file.ts'
import { findDownloadFault, toAudited } from './index.ts'
import { findLink, findLinkOwner, markLinkUsed } from './links-store.ts'
import { type FileRequest, fileSender, refuse, type SendFile, sendArtefact } from './send-artefact.ts'
import type { ExportRow } from './store.ts'

export interface ExportDownloadDeps {
  /** Under the role `app`. */
  readonly db: Db
  readonly ids: IdSource
  readonly sessions: Pick<SessionReader, 'confirm'>
  readonly encryption: EnvelopeEncryption
  readonly artefacts: ArtefactFiles
  readonly log: Logger
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const noSuchLink: ApiError = { error: 'notFound', detail: 'this address has expired: ask for a new one' }

/**
 * Answers requests for {@link EXPORT_PATH}: sends the file of an export, whole or in ranges, as long as the session behind its address
 * may have it.
 */
export const exportDownloads = (deps: ExportDownloadDeps): SendFile =>
  fileSender(deps.log, (request) => serve(deps, request))

interface Permitted {
  readonly row: ExportRow
  readonly caller: MemberCaller
}

async function serve(deps: ExportDownloadDeps, { req, res, address }: FileRequest): Promise<void> {
  const ticket = new URL(req.url ?? '', 'http://front').searchParams.get('ticket') ?? ''
  const sha256 = tokenSha256(ticket)
  const permitted = await permit(deps, { sha256, address, isFirst: true })
  if (!permitted.ok) return refuse(res, permitted.failure)
  const { row } = permitted.value
  const name = row.name === '' ? `export-${row.export_id}` : row.name
  const file = { row, disposition: attachment(name, row.format), type: fileTypes[row.format] }
  await sendArtefact(deps, { req, res }, file, async () => (await permit(deps, { sha256, address })).ok)
}

const fileTypes = { mp4: 'video/mp4', zip: 'application/zip' } as const

interface Asking {
  readonly sha256: Buffer
  readonly address: string
  /** Whether the download begins: its first request is recorded. */
  readonly isFirst?: boolean
}

/** The export behind an address, if its session may still have it. */
async function permit(
  { db, ids, sessions, now }: ExportDownloadDeps,
  { sha256, address, isFirst = false }: Asking,
): Promise<Result<Permitted, ApiError>> {
  const owner = await findLinkOwner(db, sha256)
  const caller = owner && (await sessions.confirm(owner.tokenSha256))
  if (caller?.kind !== 'member' || caller.accountId !== owner?.accountId) return fail(noSuchLink)
  if (!isAllowedAddress(address, caller.allowedAddresses)) return fail({ error: 'notAuthorized' })
  const denied = getDenyReason(downloadExport, caller)
  if (denied !== undefined) return fail({ error: 'notAuthorized', detail: 'the right to export was revoked' })
  return await db.inTenant(caller, async (tx) => {
    const found = await findLink(tx, caller, { sha256, now: now() })
    if (found === undefined) return fail(noSuchLink)
    const fault = await findDownloadFault(tx, caller, found.row)
    if (fault !== undefined) return fail(fault)
    if (isFirst && !found.isUsed) {
      await markLinkUsed(tx, caller, { sha256, now: now() })
      const entry = {
        action: 'export',
        target: { kind: 'export', id: found.row.export_id },
        after: toAudited(found.row),
      }
      await appendAudit(tx, { ids, caller, address, entry })
    }
    return ok({ row: found.row, caller })
  })
}
