// An authenticator app, and people who have one, for tests.
import { getMfa, type Mfa, type MfaChangeReply, patchMfa } from '@sightline/contract/mfa'
import type { AuthUnderTest } from './auth-testing.ts'
import { computeTotpCode, getTotpStep } from './factors/mfa/totp.ts'
import { call } from './staff-testing.ts'
import { ask } from './token-testing.ts'

/** The bytes of a seed as people type it in. */
function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** The code that the app shows at that time. */
export const getCurrentCode = (secret: string, at: number): string =>
  computeTotpCode(fromBase32(secret), getTotpStep(at))

export const ownMfa = async (under: AuthUnderTest, token: string): Promise<Mfa> => {
  const { status, body } = await call(under, token, `${getMfa.method} ${getMfa.path}`)
  if (status !== 200) throw new Error(`GET users/self/mfa answered ${status} ${JSON.stringify(body)}`)
  return body
}

export const setMfa = (under: AuthUnderTest, token: string, enabled: boolean, code: string) =>
  call(under, token, `${patchMfa.method} ${patchMfa.path}`, { enabled, code })

/** Turns it on with the current code; returns the seed and the recovery codes. */
export async function enableMfa(
  under: AuthUnderTest,
  token: string,
  at: number,
): Promise<{ readonly secret: string; readonly recoveryCodes: readonly string[] }> {
  const { secret } = await ownMfa(under, token)
  if (secret === null) throw new Error('there is no seed')
  const { status, body } = await setMfa(under, token, true, getCurrentCode(secret, at))
  if (status !== 200) throw new Error(`switching on answered ${status} ${JSON.stringify(body)}`)
  return { secret, recoveryCodes: (body as MfaChangeReply).recoveryCodes ?? [] }
}

/** A client that may send passwords and codes for users of reseller 300. */
export async function addCodeClient(under: AuthUnderTest): Promise<readonly [id: string, secret: string]> {
  return ['nvr', await under.addClient({ clientId: 'nvr', passwordGrant: true, resellerId: 300 })]
}

/** Signs in with password and code and returns the tokens. Without a second factor the code is ignored. */
export async function signInWithCode(
  under: Pick<AuthUnderTest, 'origin'>,
  client: readonly [id: string, secret: string],
  given: { readonly email: string; readonly password: string; readonly code: string },
) {
  const { email: username, password, code } = given
  const fields = { grant_type: 'password', username, password, mfa_code: code }
  const { status, body } = await ask(under, fields, { basic: client })
  if (status !== 200) throw new Error(`signing in answered ${status} ${JSON.stringify(body)}`)
  return body
}
