import { randomBytes } from 'node:crypto'
import type { ApiError } from '@sightline/contract/errors'
import { SHARE_PATH, SHARE_VIEW_MS, type SharedFootage } from '@sightline/contract/shares'
import { toDateTime } from '@sightline/contract/wire'
import type { Db, Tx } from '@sightline/platform/db'
import { addressGroup, createRateLimiter } from '@sightline/platform/limits'
import { fail, ok, type Result } from '@sightline/platform/result'
import { type MemberCaller, tokenSha256 } from '@sightline/platform/sessions'
import { camerasInScope, loadAsker } from '../exports/index.ts'
import { isSharePassword } from './share-password.ts'
import { findCamera, findOpenShare, insertView, type ShareKey, type ShareRow, toShare } from './store.ts'

/** The same for every link that doesn't open, so that nothing can be learned from it. */
export const noSuchShare: ApiError = {
  error: 'notFound',
  detail: 'this link is wrong, has expired, or was ended',
}
const wrongPassword: ApiError = { error: 'notAuthorized', detail: 'the password is wrong' }
const noSound: ApiError = { error: 'notAuthorized', detail: 'the footage has sound, which needs the right microphone' }

const TICKET_BYTES = 32
/** Of one address: 128 random bits can't be guessed; this keeps guessing from costing queries. */
const OPENINGS = { perSecond: 5, burst: 300 }
/** Of one share, by everybody, beside the limit of an address. */
const PASSWORDS_OF_SHARE = { perSecond: 1 / 60, burst: 60 }
const PASSWORDS_OF_ADDRESS = { perSecond: 1 / 90, burst: 10 }
/** Of one share: each view is a line in two logs. */
const VIEWS_OF_SHARE = { perSecond: 0.2, burst: 200 }

/** Correct passwords that are remembered. */
const MAX_REMEMBERED = 1000

const tooMany = (waitMs: number): ApiError => ({ error: 'tooManyRequests', retryAfter: Math.max(1, waitMs / 1000) })

export interface OpenShareDeps {
  readonly mediaOrigin: (host: string) => string
  readonly now: () => number
}

export interface Opening {
  readonly key: ShareKey
  readonly password: string | undefined
  readonly address: string
  readonly host: string
  /** Undefined for someone who isn't signed in. */
  readonly viewer: MemberCaller | undefined
}

/** Opens shares; the limits are those of this process. */
export class ShareOpener {
  readonly #deps: OpenShareDeps
  readonly #openings = createRateLimiter(OPENINGS, () => performance.now())
  readonly #ofShare = createRateLimiter(PASSWORDS_OF_SHARE, () => performance.now())
  readonly #ofAddress = createRateLimiter(PASSWORDS_OF_ADDRESS, () => performance.now())
  readonly #views = createRateLimiter(VIEWS_OF_SHARE, () => performance.now())
  /** Correct passwords by share, address and hash: opening a share again, as a page does while it waits, uses up no tries. */
  readonly #correct = new Set<string>()

  constructor(deps: OpenShareDeps) {
    this.#deps = deps
  }

  /** Why this address may not open anything now. */
  limit(address: string): ApiError | undefined {
    const waitMs = this.#openings.consume(addressGroup(address))
    return waitMs === undefined ? undefined : tooMany(waitMs)
  }

  /**
   * Checks the password and returns the hash that it matches, for {@link open}; undefined without a password, or if the share has none.
   * It is called before the transaction that opens the share: a check takes a tenth of a second, and would hold a database connection.
   */
  async checkPassword(db: Db, opening: Opening): Promise<Result<Buffer | undefined, ApiError>> {
    const { key, password, viewer } = opening
    if (password === undefined) return ok(undefined)
    const of = viewer ?? { accountId: key.accountId, userId: key.accountId }
    const row = await db.inTenant(of, (tx) => this.#find(tx, opening))
    if (!row.ok) return row
    const stored = row.value.password_hash
    if (stored === null) return ok(undefined)
    const refused = await this.#findPasswordFault(opening, password, stored)
    return refused === undefined ? ok(stored) : fail(refused)
  }

  async #find(tx: Tx, { key, viewer }: Opening): Promise<Result<ShareRow, ApiError>> {
    const row = await findOpenShare(tx, key, this.#deps.now())
    const fault = row === undefined ? noSuchShare : await findOpeningFault(tx, row, viewer)
    return row === undefined || fault !== undefined ? fail(fault ?? noSuchShare) : ok(row)
  }

  /** `matchedHash`: what {@link checkPassword} returned. */
  async open(tx: Tx, opening: Opening, matchedHash: Buffer | undefined): Promise<Result<SharedFootage, ApiError>> {
    const found = await this.#find(tx, opening)
    if (!found.ok) return found
    const row = found.value
    if (row.password_hash !== null) {
      if (opening.password === undefined) return ok({ needsPassword: true, footage: null })
      if (matchedHash === undefined || !row.password_hash.equals(matchedHash)) return fail(wrongPassword)
    }
    const camera = await findCamera(tx, row)
    if (camera === undefined) return fail(noSuchShare)
    const { name, from, till, expiresAt, status, progress, hasSound } = toShare(row)
    const waitMs = status === 'Ready' ? this.#views.consume(String(row.share_id)) : undefined
    if (waitMs !== undefined) return fail(tooMany(waitMs))
    const url = status === 'Ready' ? await this.#addView(tx, row, opening) : null
    const gaps = row.gaps?.map((gap) => ({ from: toDateTime(gap[0]), till: toDateTime(gap[1]) })) ?? null
    const about = { cameraName: camera.name, timeZone: camera.timeZone }
    return ok({
      needsPassword: false,
      footage: { name, ...about, from, till, expiresAt, status, progress, hasSound, gaps, url },
    })
  }

  async #findPasswordFault({ key, address }: Opening, password: string, stored: Buffer): Promise<ApiError | undefined> {
    const opened = `${key.shareId} ${addressGroup(address)} ${tokenSha256(password).toString('base64')}`
    if (this.#correct.has(opened)) return undefined
    const tries = [
      this.#ofAddress.consume(`${key.shareId} ${addressGroup(address)}`),
      this.#ofShare.consume(String(key.shareId)),
    ]
    const waitMs = tries.find((wait) => wait !== undefined)
    if (waitMs !== undefined) return tooMany(waitMs)
    if (!(await isSharePassword(password, stored))) return wrongPassword
    const [oldest] = this.#correct.size >= MAX_REMEMBERED ? this.#correct : []
    if (oldest !== undefined) this.#correct.delete(oldest)
    this.#correct.add(opened)
    return undefined
  }

  async #addView(tx: Tx, row: ShareRow, { key, address, host, viewer }: Opening): Promise<string> {
    const ticket = randomBytes(TICKET_BYTES).toString('base64url')
    const at = this.#deps.now()
    await insertView(tx, {
      ...key,
      ticketSha256: tokenSha256(ticket),
      userId: viewer?.userId ?? null,
      tokenSha256: viewer?.tokenSha256 ?? null,
      address,
      now: at,
      expiresAt: Math.min(at + SHARE_VIEW_MS, row.expires_at),
    })
    // The same host and scheme as for sockets.
    return `${this.#deps.mediaOrigin(host).replace(/^ws/, 'http')}${SHARE_PATH}?ticket=${ticket}`
  }
}

/** Why this viewer can't open a share: the person who shared it may no longer export the footage, or the viewer may not see it. */
export async function findOpeningFault(
  tx: Tx,
  row: ShareRow,
  viewer: MemberCaller | undefined,
): Promise<ApiError | undefined> {
  if ((await loadAsker(tx, row))?.mayExport !== true) return noSuchShare
  if (viewer === undefined) return row.is_public ? undefined : noSuchShare
  if (viewer.accountId !== row.account_id) return noSuchShare
  if ((await camerasInScope(tx, viewer, row.camera_ids)).length < row.camera_ids.length) return noSuchShare
  return row.has_sound === true && !viewer.rights.has('microphone') ? noSound : undefined
}

/** How the audit log describes a share. */
export const toAuditedShare = (row: ShareRow) => ({
  cameraId: row.camera_ids[0] ?? 0,
  from: toDateTime(row.started_at),
  till: toDateTime(row.ended_at),
  expiresAt: toDateTime(row.expires_at),
  public: row.is_public,
  hasPassword: row.password_hash !== null,
  ...(row.name !== '' && { name: row.name }),
})
