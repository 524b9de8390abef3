import type { ApiKey, ApiKeyScope, apiKeyPatch, newApiKey } from '@sightline/contract/api-keys'
import type { ApiError } from '@sightline/contract/errors'
import { toDateTime } from '@sightline/contract/wire'
import type * as z from 'zod/mini'

/** What people decide about a key. */
export interface KeySettings {
  readonly name: string
  readonly scopes: readonly ApiKeyScope[]
  readonly provisioning: boolean
  /** Milliseconds since 1970, as every time here. */
  readonly expiresAt: number | null
  readonly allowedAddresses: readonly string[]
}

export interface StoredKey extends KeySettings {
  readonly apiKeyId: number
  readonly clientId: string
  readonly userId: number
  readonly userName: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
  readonly secret: KeySecret
}

export interface KeySecret {
  readonly sha256: Buffer
  /** Whether it has got a token yet. */
  readonly isUsed: boolean
  readonly previous: { readonly sha256: Buffer; readonly until: number } | undefined
}

/** How long the previous secret stays valid after a change (api.md §17). */
export const OVERLAP_MS = 24 * 3_600_000

export const toKeySettings = (given: z.output<typeof newApiKey>): KeySettings => ({
  name: given.name,
  scopes: distinct(given.scopes ?? ['read']),
  provisioning: given.provisioning ?? false,
  expiresAt: given.expiresAt ?? null,
  allowedAddresses: given.allowedAddresses ?? [],
})

export const patched = (
  { name, scopes, provisioning, expiresAt, allowedAddresses }: KeySettings,
  patch: z.output<typeof apiKeyPatch>,
): KeySettings => ({
  name: patch.name ?? name,
  scopes: distinct(patch.scopes ?? scopes),
  provisioning: patch.provisioning ?? provisioning,
  expiresAt: patch.expiresAt === undefined ? expiresAt : patch.expiresAt,
  allowedAddresses: patch.allowedAddresses ?? allowedAddresses,
})

const distinct = (scopes: readonly ApiKeyScope[]): readonly ApiKeyScope[] => [...new Set(scopes)]

/** The caller: an account's user or an organisation's staff. */
interface Asking {
  readonly accountId: number
  readonly userId: number
  readonly scopes: readonly string[]
}

/**
 * Why such a key can't be created or changed: it would grant more than the caller's own token, or its end has already
 * passed. `before` is the present key.
 */
export function settingsProblem(
  next: KeySettings,
  { caller, now, before }: { readonly caller: Asking; readonly now: number; readonly before?: KeySettings },
): ApiError | undefined {
  const missing = next.scopes.find((scope) => !caller.scopes.includes(scope) && before?.scopes.includes(scope) !== true)
  if (missing !== undefined) return { error: 'notAuthorized', detail: `this token lacks the scope ${missing}` }
  const isOver = next.expiresAt !== null && next.expiresAt <= now && next.expiresAt !== before?.expiresAt
  if (!isOver) return undefined
  return { error: 'validation', fields: [{ field: 'expiresAt', message: 'Choose an end in the future' }] }
}

/**
 * A key acts as its creator, so it belongs to the creator's organisation; above a reseller it would also reach other
 * customers.
 */
export function originProblem(caller: Asking, organisationId: number): ApiError | undefined {
  if (caller.accountId === organisationId) return undefined
  return { error: 'notAuthorized', detail: "a reseller's API key can act only as one of its own staff" }
}

/** Who learnt another's secret, or gave it more to do, would act as them. */
export function changeProblem(caller: Asking, key: Pick<StoredKey, 'userId'>): ApiError | undefined {
  if (caller.userId === key.userId) return undefined
  return { error: 'notAuthorized', detail: 'only the staff member this key acts as can change it; you can delete it' }
}

/**
 * The secrets after a change. The one in use stays valid for a day: the present one, or the one before it if the
 * present one is still unused, so that a lost reply locks no one out.
 */
export function rotated(
  { sha256: present, isUsed, previous }: KeySecret,
  change: { readonly sha256: Buffer; readonly endOldSecret: boolean; readonly now: number },
): KeySecret {
  const { sha256, endOldSecret, now } = change
  const next = { sha256, isUsed: false }
  if (endOldSecret) return { ...next, previous: undefined }
  if (!isUsed && previous !== undefined && previous.until > now) return { ...next, previous }
  return { ...next, previous: { sha256: present, until: now + OVERLAP_MS } }
}

export const narrows = (before: KeySettings, next: KeySettings): boolean =>
  before.scopes.some((scope) => !next.scopes.includes(scope))

export function toApiKey(key: StoredKey, now: number): ApiKey {
  const { previous } = key.secret
  const dated = (at: number | null) => (at === null ? null : toDateTime(at))
  return {
    apiKeyId: key.apiKeyId,
    clientId: key.clientId,
    name: key.name,
    scopes: [...key.scopes],
    grants: ['client_credentials'],
    provisioning: key.provisioning,
    actsAs: { userId: key.userId, name: key.userName },
    createdAt: toDateTime(key.createdAt),
    expiresAt: dated(key.expiresAt),
    allowedAddresses: [...key.allowedAddresses],
    lastUsed: dated(key.lastUsedAt),
    oldSecretUntil: previous !== undefined && previous.until > now ? toDateTime(previous.until) : null,
  }
}
