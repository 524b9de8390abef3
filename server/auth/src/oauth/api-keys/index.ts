import * as calls from '@sightline/contract/api-keys'
import type { ApiError } from '@sightline/contract/errors'
import { canAccessReseller } from '@sightline/contract/rights'
import { type Change, type ServedRoute, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { StaffCaller } from '@sightline/platform/sessions'
import { type ApiKeysDeps, createKey, deleteKey, type KeyChange, patchKey, rotateKey } from './changes.ts'
import { toApiKey } from './rules.ts'
import { findKey, findReseller, listKeys } from './store.ts'

export type { ApiKeysDeps } from './changes.ts'
export { noteKeyUse } from './store.ts'

/** `apiKeys` and `resellers/{resellerId}/apiKeys`: what other programs sign in with. */
export const apiKeys = (deps: ApiKeysDeps): readonly ServedRoute[] => [...ofAccount(deps), ...ofReseller(deps)]

const ofAccount = (deps: ApiKeysDeps): readonly ServedRoute[] => [
  serve(calls.getApiKeys, async ({ accountId }) => ok(await listed(deps, accountId))),
  serve(calls.getApiKey, ({ accountId }, { params }) => single(deps, accountId, params.apiKeyId)),
  serveChange(calls.postApiKey, (change, { body, address }) =>
    createKey(own(change, address, calls.postApiKey), body, deps),
  ),
  serveChange(calls.patchApiKey, (change, { params, body, address }) =>
    patchKey(own(change, address, calls.patchApiKey), { ...params, patch: body }, deps),
  ),
  serveChange(calls.rotateApiKey, (change, { params, body, address }) =>
    rotateKey(own(change, address, calls.rotateApiKey), { ...params, endOldSecret: body?.endOldSecret === true }, deps),
  ),
  serveChange(calls.deleteApiKey, (change, { params, address }) =>
    deleteKey(own(change, address, calls.deleteApiKey), params.apiKeyId, deps),
  ),
]

const own = (change: Change, address: string, call: { readonly name: string }): KeyChange => ({
  change,
  organisationId: change.caller.accountId,
  address,
  action: call.name,
})

const ofReseller = (deps: ApiKeysDeps): readonly ServedRoute[] => {
  const within = reachOf(deps)
  return [
    serve(calls.getResellerApiKeys, (caller, { params }) =>
      within(caller, params, async () => ok(await listed(deps, params.resellerId))),
    ),
    serve(calls.getResellerApiKey, (caller, { params }) =>
      within(caller, params, () => single(deps, params.resellerId, params.apiKeyId)),
    ),
    serveChange(calls.postResellerApiKey, (change, { params, body, address }) =>
      within(change.caller, params, () => createKey(at(change, params, address, calls.postResellerApiKey), body, deps)),
    ),
    serveChange(calls.patchResellerApiKey, (change, { params, body, address }) =>
      within(change.caller, params, () =>
        patchKey(
          at(change, params, address, calls.patchResellerApiKey),
          { apiKeyId: params.apiKeyId, patch: body },
          deps,
        ),
      ),
    ),
    serveChange(calls.rotateResellerApiKey, (change, { params, body, address }) =>
      within(change.caller, params, () =>
        rotateKey(
          at(change, params, address, calls.rotateResellerApiKey),
          { apiKeyId: params.apiKeyId, endOldSecret: body?.endOldSecret === true },
          deps,
        ),
      ),
    ),
    serveChange(calls.deleteResellerApiKey, (change, { params, address }) =>
      within(change.caller, params, () =>
        deleteKey(at(change, params, address, calls.deleteResellerApiKey), params.apiKeyId, deps),
      ),
    ),
  ]
}

const at = (
  change: Change,
  { resellerId }: { readonly resellerId: number },
  address: string,
  call: { readonly name: string },
): KeyChange => ({ change, organisationId: resellerId, address, action: call.name })

type Answer<T> = () => Promise<Result<T, ApiError>>

/** A reseller outside the caller's part of the tree is reported as not found. */
const reachOf =
  ({ db }: ApiKeysDeps) =>
  async <T>(
    caller: StaffCaller,
    { resellerId }: { readonly resellerId: number },
    answer: Answer<T>,
  ): Promise<Result<T, ApiError>> => {
    const reseller = await findReseller(db, resellerId)
    if (reseller === undefined || !canAccessReseller(caller, reseller)) return fail({ error: 'notFound' })
    return answer()
  }

async function listed({ db, clock }: ApiKeysDeps, organisationId: number) {
  return (await listKeys(db, organisationId)).map((key) => toApiKey(key, clock.now()))
}

async function single({ db, clock }: ApiKeysDeps, organisationId: number, apiKeyId: number) {
  const key = await findKey(db, { organisationId, apiKeyId })
  return key === undefined ? fail({ error: 'notFound' } as const) : ok(toApiKey(key, clock.now()))
}
