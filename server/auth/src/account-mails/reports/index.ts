import type { AuthPlane } from '@sightline/contract/auth-plane'
import { renderEmail } from '@sightline/platform/mail'
import { findMailBrand, type SignInMailDeps } from '../../people/email-templates/index.ts'
import { reportEmail } from './email.ts'
import { addOnce } from './store.ts'

/** Notifies the recipients of a finished report. No email limit, because only the recipients cause these. */
export async function notifyReport(
  given: Parameters<AuthPlane['notifyReport']>[0],
  deps: SignInMailDeps,
): Promise<void> {
  const { accountId, reportId, email: to, ...about } = given
  const { theme, origin } = await findMailBrand(given, deps)
  const address = `${origin}/app/reports/${reportId}`
  const template = reportEmail({ ...about, company: theme.companyName, address })
  await addOnce({ ...renderEmail(template, { theme, origin }), accountId, mailId: reportId, kind: 'report', to }, deps)
}
