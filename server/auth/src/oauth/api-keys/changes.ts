import {
  type ApiKey,
  type ApiKeyWithSecret,
  type apiKeyPatch,
  MAX_API_KEYS,
  type newApiKey,
} from '@sightline/contract/api-keys'
import type { ApiError } from '@sightline/contract/errors'
import { appendAudit } from '@sightline/platform/audit'
import type { Clock } from '@sightline/platform/clock'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import type { Change } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type * as z from 'zod/mini'
import { deleteClientTokens, type EndResult, type Sessions } from '../../sessions/index.ts'
import { newClientId, newClientSecret } from '../clients/index.ts'
import {
  changeProblem,
  type KeySettings,
  narrows,
  originProblem,
  patched,
  rotated,
  settingsProblem,
  toApiKey,
  toKeySettings,
} from './rules.ts'
import { type ApiKeyRef, insertKey, lockKey, removeKey, saveSecret, saveSettings, tableProblem } from './store.ts'

export interface ApiKeysDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
  readonly sessions: Sessions
}

/** Who changes a key of which organisation, by which call. */
export interface KeyChange {
  readonly change: Change
  readonly organisationId: number
  readonly address: string
  readonly action: string
}

export async function createKey(
  of: KeyChange,
  given: z.output<typeof newApiKey>,
  { ids, clock }: ApiKeysDeps,
): Promise<Result<ApiKeyWithSecret, ApiError>> {
  const { change, organisationId } = of
  const { caller } = change
  const settings = toKeySettings(given)
  const now = clock.now()
  const problem = originProblem(caller, organisationId) ?? settingsProblem(settings, { caller, now })
  if (problem !== undefined) return fail(problem)
  const { secret, sha256: secretSha256 } = newClientSecret()
  const apiKeyId = await ids.next()
  const { userId } = caller
  const key = {
    apiKeyId,
    organisationId,
    clientId: newClientId('key'),
    userId,
    secretSha256,
    settings,
    createdAt: now,
  }
  return refusable(() =>
    change.tx('plane', async (tx) => {
      await insertKey(tx, key)
      await write(tx, { of, ids, apiKeyId, after: settings })
      const stored = await lockKey(tx, key)
      if (stored === undefined) throw new Error(`API key ${apiKeyId} not found in the transaction that created it`)
      return ok({ ...toApiKey(stored, now), clientSecret: secret })
    }),
  )
}

export function patchKey(
  of: KeyChange,
  given: {
    readonly apiKeyId: number
    readonly patch: z.output<typeof apiKeyPatch>
  },
  { ids, clock, sessions }: ApiKeysDeps,
): Promise<Result<ApiKey, ApiError>> {
  const { change } = of
  const { caller } = change
  const { apiKeyId, patch } = given
  return refusable(() =>
    sessions.endWith(async (tx): Promise<EndResult<Result<ApiKey, ApiError>>> => {
      const before = await lockKey(tx, toApiKeyRef(of, apiKeyId))
      if (before === undefined) return unchanged(NOT_FOUND)
      const now = clock.now()
      const next = patched(before, patch)
      const problem =
        changeProblem(caller, before) ??
        change.conditionFailure(toApiKey(before, now)) ??
        settingsProblem(next, { caller, now, before })
      if (problem !== undefined) return unchanged(problem)
      await saveSettings(tx, apiKeyId, next)
      const ended = narrows(before, next) ? await deleteClientTokens(tx, before.clientId) : []
      await write(tx, { of, ids, apiKeyId, before, after: next })
      return { value: ok(toApiKey({ ...before, ...next }, now)), ended }
    }),
  )
}

export function rotateKey(
  of: KeyChange,
  given: { readonly apiKeyId: number; readonly endOldSecret: boolean },
  { ids, clock, sessions }: ApiKeysDeps,
): Promise<Result<ApiKeyWithSecret, ApiError>> {
  const { apiKeyId, endOldSecret } = given
  return sessions.endWith(async (tx): Promise<EndResult<Result<ApiKeyWithSecret, ApiError>>> => {
    const before = await lockKey(tx, toApiKeyRef(of, apiKeyId))
    if (before === undefined) return unchanged(NOT_FOUND)
    const problem = changeProblem(of.change.caller, before)
    if (problem !== undefined) return unchanged(problem)
    const now = clock.now()
    const { secret, sha256 } = newClientSecret()
    const next = rotated(before.secret, { sha256, endOldSecret, now })
    await saveSecret(tx, apiKeyId, next)
    const ended = endOldSecret ? await deleteClientTokens(tx, before.clientId) : []
    await write(tx, { of, ids, apiKeyId })
    return { value: ok({ ...toApiKey({ ...before, secret: next }, now), clientSecret: secret }), ended }
  })
}

export function deleteKey(
  of: KeyChange,
  apiKeyId: number,
  { ids, sessions }: ApiKeysDeps,
): Promise<Result<undefined, ApiError>> {
  return sessions.endWith(async (tx): Promise<EndResult<Result<undefined, ApiError>>> => {
    const before = await lockKey(tx, toApiKeyRef(of, apiKeyId))
    if (before === undefined) return unchanged(NOT_FOUND)
    await removeKey(tx, apiKeyId)
    const ended = await deleteClientTokens(tx, before.clientId)
    await write(tx, { of, ids, apiKeyId, before })
    return { value: ok(undefined), ended }
  })
}

const NOT_FOUND: ApiError = { error: 'notFound' }
const unchanged = <T>(failure: ApiError): EndResult<Result<T, ApiError>> => ({ value: fail(failure), ended: [] })
const toApiKeyRef = ({ organisationId }: KeyChange, apiKeyId: number): ApiKeyRef => ({ organisationId, apiKeyId })

/** Translates a constraint violation into the call's error. */
async function refusable<T>(change: () => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError>> {
  try {
    return await change()
  } catch (error) {
    const problem = tableProblem(error)
    if (problem === undefined) throw error
    if (problem === 'nameIsTaken')
      return fail({ error: 'duplicate', detail: 'an API key with this name already exists' })
    return fail({
      error: 'businessRule',
      detail: `there are already ${MAX_API_KEYS} API keys, the maximum: delete one first`,
    })
  }
}

interface Line {
  readonly of: KeyChange
  readonly ids: IdSource
  readonly apiKeyId: number
  readonly before?: KeySettings
  readonly after?: KeySettings
}

function write(tx: Tx, { of, ids, apiKeyId, before, after }: Line): Promise<void> {
  const { organisationId, address, action } = of
  const entry = {
    action,
    accountId: organisationId,
    target: { kind: 'apiKey', id: apiKeyId },
    ...(before === undefined ? {} : { before: shown(before) }),
    ...(after === undefined ? {} : { after: shown(after) }),
  }
  return appendAudit(tx, { ids, caller: of.change.caller, address, entry })
}

const shown = ({ name, scopes, provisioning, expiresAt, allowedAddresses }: KeySettings): KeySettings => ({
  name,
  scopes,
  provisioning,
  expiresAt,
  allowedAddresses,
})
