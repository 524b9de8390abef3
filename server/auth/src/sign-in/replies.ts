import type { WriteAudit } from '../people/audit/index.ts'
import type { AuthUser } from '../people/index.ts'
import type { Interaction, SignInRequest } from './interaction.ts'
import { recordFailures } from './sign-in-history/index.ts'

/** A double click sends the form twice, and the browser shows the second response. */
export const isDone = (interaction: Interaction | undefined): boolean => interaction?.result?.login !== undefined

/** Back to the application, as the first of the two was led. */
export function resume({ res }: Pick<SignInRequest, 'res'>, { returnTo }: Interaction): void {
  res.writeHead(303, { location: returnTo, 'cache-control': 'no-store', 'content-length': '0' })
  res.end()
}

/** The input of the failed try. */
const methods = {
  wrongPassword: 'password',
  wrongCode: 'passwordAndCode',
  wrongPasskey: 'passkey',
  locked: 'password',
} as const

/** The password or the passkey was right, but didn't sign the user in. */
export const writeRightPassword = (
  { address }: Pick<SignInRequest, 'address'>,
  { audit }: { readonly audit: WriteAudit },
  { clientId, person }: { readonly clientId: string | undefined; readonly person: AuthUser },
): Promise<void> => {
  const { accountId, userId } = person
  return audit({ accountId, userId, action: 'loginFailed', clientId, address })
}

/** After the response, because the time of the write would distinguish known addresses from unknown ones. */
export async function writeFailures(
  { req, address }: Pick<SignInRequest, 'req' | 'address'>,
  deps: { readonly audit: WriteAudit } & Parameters<typeof recordFailures>[2],
  failed: {
    readonly clientId: string | undefined
    readonly known: readonly Pick<AuthUser, 'userId' | 'accountId'>[]
    readonly outcome: keyof typeof methods
  },
): Promise<void> {
  const { clientId, known, outcome } = failed
  const method = methods[outcome]
  const sender = { address, userAgent: req.headers['user-agent'] }
  await recordFailures(known, { outcome, method, clientId, sender }, deps)
  // Tries that weren't checked would flood the log.
  if (outcome === 'locked') return
  for (const { userId, accountId } of known)
    await deps.audit({ accountId, userId, action: 'loginFailed', clientId, address })
}
