import type { IncomingMessage, ServerResponse } from 'node:http'
import { PASSWORDS_BUSY } from '@sightline/contract/auth-plane'
import { type ApiError, errorCatalogue, toErrorBody } from '@sightline/contract/errors'
import { passwordResetInput, passwordResetRequest } from '@sightline/contract/password-resets'
import { fail, ok, type Result } from '@sightline/platform/result'
import { tokenSha256 } from '@sightline/platform/sessions'
import * as z from 'zod/mini'
import { commonPassword, isCommonPassword } from '../../factors/credentials/index.ts'
import { readBody } from '../../sign-in-pages/index.ts'
import { type ResetByLinkDeps, resetByToken } from '../password-links/index.ts'
import { type AskDeps, countResetRequest, sendResets } from './ask.ts'
import type { ForgotRequest } from './page.ts'

export interface CallDeps extends AskDeps, ResetByLinkDeps {}

/** Operation 68: always 202, sent before any user is looked up. */
export async function askForReset(request: ForgotRequest, deps: CallDeps): Promise<void> {
  const body = await readJson(request.req, passwordResetRequest)
  if (!body.ok) return sendApiError(request, body.failure)
  const retryAfter = await countResetRequest(request.address, deps)
  if (retryAfter !== undefined) return sendApiError(request, { error: 'tooManyRequests', retryAfter })
  answer(request.res, 202)
  await sendResets(body.value.email, request.brand, deps)
}

/** Operation 86: uses up the token from the email and ends every token and sign-in of the user. */
export async function setByReset(visit: ForgotRequest & { readonly token: string }, deps: CallDeps): Promise<void> {
  const body = await readJson(visit.req, passwordResetInput)
  if (!body.ok) return sendApiError(visit, body.failure)
  const { newPassword: password } = body.value
  if (isCommonPassword(password)) return sendApiError(visit, commonPassword)
  const token = { tokenSha256: tokenSha256(visit.token), password, address: visit.address }
  const outcome = await resetByToken(token, deps)
  if (outcome === 'over')
    return sendApiError(visit, {
      error: 'notFound',
      detail: 'the link has expired, has already been used or is not valid',
    })
  if (outcome === 'busy') return sendApiError(visit, PASSWORDS_BUSY)
  answer(visit.res, 204)
}

/** Another site's form can't send JSON, so this comes from a program or a page of this host. */
async function readJson<T>(req: IncomingMessage, schema: z.ZodMiniType<T>): Promise<Result<T, ApiError>> {
  const isJson = /^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '')
  const text = isJson ? await readBody(req) : undefined
  const value = text === undefined ? undefined : parsed(text)
  if (value === undefined) return fail({ error: 'parse', detail: 'expected a JSON object of at most 8 KiB' })
  const checked = z.safeParse(schema, value)
  if (checked.success) return ok(checked.data)
  const fields = checked.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
  return fail({ error: 'validation', fields })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const answer = (res: ServerResponse, status: 202 | 204): void => {
  res.writeHead(status, { 'cache-control': 'no-store', ...(status === 202 ? { 'content-length': '0' } : {}) })
  res.end()
}

/** An error as the REST API has them (api.md §2.5). */
export function sendApiError({ req, res }: Pick<ForgotRequest, 'req' | 'res'>, failure: ApiError): void {
  const requestId = req.headers['x-request-id']
  const body = toErrorBody(failure, typeof requestId === 'string' ? requestId : undefined)
  const retry = failure.retryAfter === undefined ? {} : { 'retry-after': String(failure.retryAfter) }
  const type = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  res.writeHead(errorCatalogue[failure.error].status, { ...type, ...retry })
  res.end(JSON.stringify(body))
}
