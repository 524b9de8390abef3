import { PASSWORDS_BUSY } from '@sightline/contract/auth-plane'
import type { ApiError } from '@sightline/contract/errors'
import { formatRecoveryCode } from '@sightline/contract/mfa'
import { type NewRecoveryCodes, renewRecoveryCodes } from '@sightline/contract/recovery-codes'
import { type ServedRoute, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import {
  findFactor,
  freshRecoveryCodes,
  lockFactor,
  notifyUser,
  replaceRecoveryCodes,
  type StoredFactor,
} from '../mfa/index.ts'
import { type FactorChange, type PasskeysDeps, prove, runFactorChange } from '../passkeys/index.ts'

const IS_OFF: ApiError = {
  error: 'businessRule',
  detail: 'two-factor authentication is off, so there are no recovery codes',
}

const hasCodes = (factor: StoredFactor | undefined): factor is StoredFactor =>
  factor?.on !== undefined || factor?.asksPasskeys === true

/** `users/self/mfa/recoveryCodes`: other recovery codes, while the second factor stays on. */
export const recoveryCodes = (deps: PasskeysDeps): readonly ServedRoute[] => [
  serveChange(renewRecoveryCodes, async (change, asked) => {
    const factorChange = await runFactorChange(change, asked, deps)
    if (!hasCodes(await findFactor(deps.db.plain, change.caller.userId))) return fail(IS_OFF)
    const proven = await prove(asked.body.proof, factorChange, deps)
    return proven.ok ? renew(factorChange, deps) : proven
  }),
]

async function renew(of: FactorChange, deps: PasskeysDeps): Promise<Result<NewRecoveryCodes, ApiError>> {
  const { caller, change, person, host, address } = of
  const { userId } = person
  const fresh = await freshRecoveryCodes(deps.passwords)
  if (fresh === undefined) return fail(PASSWORDS_BUSY)
  return change.tx('plane', async (tx) => {
    if (!hasCodes(await lockFactor(tx, userId))) return fail(IS_OFF)
    await replaceRecoveryCodes(tx, { userId, now: deps.clock.now(), fresh })
    await deps.audit({ ...caller, action: 'recoveryCodesRenewed', address }, tx)
    await notifyUser(tx, { person, host, news: { kind: 'recoveryCodesRenewed' } }, deps)
    return ok({ recoveryCodes: fresh.codes.map(formatRecoveryCode) })
  })
}
