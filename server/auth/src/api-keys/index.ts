import * as calls from '@sightline/contract/api-keys'
import type { ApiError } from '@sightline/contract/errors'
import { reachesReseller } from '@sightline/contract/rights'
import { forCalls, type Served, serve } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { Caller, StaffCaller } from '@sightline/platform/sessions'
import { type ApiKeysParts, type Change, createKey, deleteKey, patchKey, rotateKey } from './changes.ts'
import { toApiKey } from './rules.ts'
import { findKey, findReseller, listKeys } from './store.ts'

export type { ApiKeysParts } from './changes.ts'
export { noteKeyUse } from './store.ts'

/** `apiKeys` and `resellers/{resellerId}/apiKeys`: what other programs sign in with. */
export function apiKeys(given: ApiKeysParts): readonly Served[] {
  const parts = { ...given, db: forCalls(given.db) }
  return [...ofAccount(parts), ...ofReseller(parts)]
}

const ofAccount = (parts: ApiKeysParts): readonly Served[] => [
  serve(calls.getApiKeys, async ({ accountId }) => ok(await listed(parts, accountId))),
  serve(calls.getApiKey, ({ accountId }, { params }) => single(parts, accountId, params.apiKeyId)),
  serve(calls.postApiKey, (caller, { body, address }) =>
    createKey(own(caller, address, calls.postApiKey), body, parts),
  ),
  serve(calls.patchApiKey, (caller, { params, body, address, changedSince }) =>
    patchKey(own(caller, address, calls.patchApiKey), { ...params, patch: body, changedSince }, parts),
  ),
  serve(calls.rotateApiKey, (caller, { params, body, address }) =>
    rotateKey(
      own(caller, address, calls.rotateApiKey),
      { ...params, endOldSecret: body?.endOldSecret === true },
      parts,
    ),
  ),
  serve(calls.deleteApiKey, (caller, { params, address }) =>
    deleteKey(own(caller, address, calls.deleteApiKey), params.apiKeyId, parts),
  ),
]

const own = (caller: Caller, address: string, call: { readonly name: string }): Change => ({
  caller,
  organisationId: caller.accountId,
  address,
  action: call.name,
})

const ofReseller = (parts: ApiKeysParts): readonly Served[] => {
  const within = reachOf(parts)
  return [
    serve(calls.getResellerApiKeys, (caller, { params }) =>
      within(caller, params, async () => ok(await listed(parts, params.resellerId))),
    ),
    serve(calls.getResellerApiKey, (caller, { params }) =>
      within(caller, params, () => single(parts, params.resellerId, params.apiKeyId)),
    ),
    serve(calls.postResellerApiKey, (caller, { params, body, address }) =>
      within(caller, params, () => createKey(at(caller, params, address, calls.postResellerApiKey), body, parts)),
    ),
    serve(calls.patchResellerApiKey, (caller, { params, body, address, changedSince }) =>
      within(caller, params, () =>
        patchKey(
          at(caller, params, address, calls.patchResellerApiKey),
          { apiKeyId: params.apiKeyId, patch: body, changedSince },
          parts,
        ),
      ),
    ),
    serve(calls.rotateResellerApiKey, (caller, { params, body, address }) =>
      within(caller, params, () =>
        rotateKey(
          at(caller, params, address, calls.rotateResellerApiKey),
          { apiKeyId: params.apiKeyId, endOldSecret: body?.endOldSecret === true },
          parts,
        ),
      ),
    ),
    serve(calls.deleteResellerApiKey, (caller, { params, address }) =>
      within(caller, params, () =>
        deleteKey(at(caller, params, address, calls.deleteResellerApiKey), params.apiKeyId, parts),
      ),
    ),
  ]
}

const at = (
  caller: Caller,
  { resellerId }: { readonly resellerId: number },
  address: string,
  call: { readonly name: string },
): Change => ({ caller, organisationId: resellerId, address, action: call.name })

type Answer<T> = () => Promise<Result<T, ApiError>>

/** A reseller outside the caller's part of the tree is as unknown as none. */
const reachOf =
  ({ db }: ApiKeysParts) =>
  async <T>(
    caller: StaffCaller,
    { resellerId }: { readonly resellerId: number },
    answer: Answer<T>,
  ): Promise<Result<T, ApiError>> => {
    const reseller = await findReseller(db, resellerId)
    if (reseller === undefined || !reachesReseller(caller, reseller)) return fail({ error: 'notFound' })
    return answer()
  }

async function listed({ db, clock }: ApiKeysParts, organisationId: number) {
  return (await listKeys(db, organisationId)).map((key) => toApiKey(key, clock.now()))
}

async function single({ db, clock }: ApiKeysParts, organisationId: number, apiKeyId: number) {
  const key = await findKey(db, { organisationId, apiKeyId })
  return key === undefined ? fail({ error: 'notFound' } as const) : ok(toApiKey(key, clock.now()))
}
