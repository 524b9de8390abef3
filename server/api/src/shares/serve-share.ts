import type { ApiError } from '@sightline/contract/errors'
import { getDenyReason } from '@sightline/contract/rights'
import { openAccountShare } from '@sightline/contract/shares'
import type { Db } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { attachment } from '@sightline/platform/file-reply'
import type { Logger } from '@sightline/platform/log'
import { fail, ok, type Result } from '@sightline/platform/result'
import { isAllowedAddress, type SessionReader, tokenSha256 } from '@sightline/platform/sessions'
import {
  type ArtefactFiles,
  type FileRequest,
  fileSender,
  refuse,
  type SendFile,
  sendArtefact,
} from '../exports/index.ts'
import { findOpeningFault } from './open-share.ts'
import { findViewedShare, findViewOwner, type ShareRow } from './store.ts'

export interface SharedFileDeps {
  /** Under the role `app`. */
  readonly db: Db
  readonly sessions: Pick<SessionReader, 'confirm'>
  readonly encryption: EnvelopeEncryption
  readonly artefacts: ArtefactFiles
  readonly log: Logger
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const noSuchView: ApiError = { error: 'notFound', detail: 'this link was ended or has expired: open it again' }

/** Answers requests for {@link SHARE_PATH}: sends the footage of a share as long as it can be opened. */
export const sharedFiles = (deps: SharedFileDeps): SendFile => fileSender(deps.log, (request) => serve(deps, request))

async function serve(deps: SharedFileDeps, { req, res, address }: FileRequest): Promise<void> {
  const query = new URL(req.url ?? '', 'http://front').searchParams
  const ticketSha256 = tokenSha256(query.get('ticket') ?? '')
  const permit = () => findPermitted(deps, { ticketSha256, address })
  const permitted = await permit()
  res.setHeader('referrer-policy', 'no-referrer')
  res.setHeader('x-robots-tag', 'noindex')
  if (!permitted.ok) return refuse(res, permitted.failure)
  const row = permitted.value
  const name = row.name === '' ? `footage-${row.share_id}` : row.name
  const disposition = query.get('download') === '1' ? attachment(name, 'mp4') : 'inline'
  await sendArtefact(deps, { req, res }, { row, disposition, type: 'video/mp4' }, async () => (await permit()).ok)
}

/** The share behind an address, if it can still be opened by whom the address was given to. */
async function findPermitted(
  { db, sessions, now }: SharedFileDeps,
  { ticketSha256, address }: { readonly ticketSha256: Buffer; readonly address: string },
): Promise<Result<ShareRow, ApiError>> {
  const owner = await findViewOwner(db, ticketSha256)
  if (owner === undefined) return fail(noSuchView)
  const { accountId, tokenSha256: session } = owner
  const viewer = session === null ? undefined : await sessions.confirm(session)
  if (session !== null) {
    if (viewer?.kind !== 'member' || !isAllowedAddress(address, viewer.allowedAddresses)) return fail(noSuchView)
    if (getDenyReason(openAccountShare, viewer) !== undefined) return fail(noSuchView)
  }
  return await db.inTenant({ accountId, userId: accountId }, async (tx) => {
    const row = await findViewedShare(tx, { accountId, ticketSha256, now: now() })
    if (row?.status !== 'Done' || row.key_sealed === null) return fail(noSuchView)
    const fault = await findOpeningFault(tx, row, viewer?.kind === 'member' ? viewer : undefined)
    return fault === undefined ? ok(row) : fail(fault)
  })
}
