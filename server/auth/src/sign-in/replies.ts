import type { ErrorPage, SignInPages } from '@sightline/contract/sign-in-pages'
import type { WriteAudit } from '../audit/index.ts'
import { frameFor, sendPage } from '../pages/index.ts'
import type { Person } from '../people/index.ts'
import type { SignInVisit } from './interaction.ts'

/** Answers one of our error pages. */
export function sendError(
  visit: Pick<SignInVisit, 'req' | 'res' | 'brand'>,
  parts: { readonly pages: SignInPages },
  shown: { readonly kind: ErrorPage['kind']; readonly status: number },
): void {
  const frame = frameFor(visit.req, visit.brand, { path: '' })
  const requestId = visit.req.headers['x-request-id']
  const reference = typeof requestId === 'string' ? { requestId } : {}
  const html = parts.pages.error({ ...frame, kind: shown.kind, ...reference })
  sendPage(visit.res, { status: shown.status, frame, html })
}

/** After the answer: the time that writing takes would tell known addresses from unknown ones. */
export async function writeFailures(
  { address }: Pick<SignInVisit, 'address'>,
  { audit }: { readonly audit: WriteAudit },
  failed: { readonly clientId: string | undefined; readonly known: readonly Pick<Person, 'userId' | 'accountId'>[] },
): Promise<void> {
  const { clientId, known } = failed
  for (const { userId, accountId } of known)
    await audit({ accountId, userId, action: 'loginFailed', clientId, address })
}
