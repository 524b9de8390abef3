import {
  beginPasskey,
  confirmByPasskey,
  deletePasskey,
  getPasskeys,
  patchPasskey,
  patchPasskeys,
  postPasskey,
} from '@sightline/contract/passkeys'
import { type Change, type ServedRoute, serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { Caller } from '@sightline/platform/sessions'
import { findByUserId } from '../../people/index.ts'
import { findSignInTime } from '../../sessions/index.ts'
import { findFactor, recoveryCodesLeft } from '../mfa/index.ts'
import { add, askAfterPassword, begin, type PasskeysDeps, remove, rename } from './changes.ts'
import { askForPasskey, findHostPasskeys } from './check.ts'
import { type FactorCaller, type FactorChange, getConfirmContext, getRequiredProof } from './proof.ts'
import { relyingParty } from './relying-party.ts'
import { toPasskeysState } from './state.ts'
import { listPasskeys } from './store.ts'

export type { PasskeysDeps } from './changes.ts'
export { askForPasskey, checkPasskey, type PasskeyCheckDeps } from './check.ts'
export { type FactorChange, prove } from './proof.ts'
export { relyingParty } from './relying-party.ts'
export { holdPasskeys, listPasskeys } from './store.ts'

interface Asked {
  readonly host: string
  readonly address: string
}

/** `users/self/passkeys`: the passkeys of the signed-in user (docs/decisions/0019). */
export const passkeys = (deps: PasskeysDeps): readonly ServedRoute[] => [
  serve(getPasskeys, async (caller, asked) => {
    const { person, session, rp } = await personOf(caller, asked, deps)
    const { plain } = deps.db
    const factor = await findFactor(plain, person.userId)
    const own = await listPasskeys(plain, person.userId)
    const left = await recoveryCodesLeft(plain, person.userId)
    return ok(toPasskeysState({ passkeys: own, rp, factor, left, proof: getRequiredProof(factor, session) }))
  }),
  serve(confirmByPasskey, async (caller, asked) => {
    const { person, rp } = await personOf(caller, asked, deps)
    const own = await findHostPasskeys(deps.db, person.userId, rp)
    if (rp === undefined || own.length === 0) {
      return fail({ error: 'businessRule', detail: 'you have no passkey for this host' })
    }
    return ok(await askForPasskey(getConfirmContext(caller), { rp, userId: person.userId }, deps))
  }),
  serve(beginPasskey, async (caller, asked) => begin(await personOf(caller, asked, deps), asked.body.proof, deps)),
  serveChange(postPasskey, async (change, asked) => add(await runFactorChange(change, asked, deps), asked.body, deps)),
  serveChange(patchPasskeys, async (change, asked) =>
    askAfterPassword(await runFactorChange(change, asked, deps), asked.body, deps),
  ),
  serveChange(patchPasskey, async (change, asked) =>
    rename(await runFactorChange(change, asked, deps), { ...asked.params, ...asked.body }, deps),
  ),
  serveChange(deletePasskey, async (change, asked) =>
    remove(await runFactorChange(change, asked, deps), asked.params.passkeyId, deps),
  ),
]

/** The same user, with the change that the call makes. */
export async function runFactorChange<Reply>(
  change: Change<Caller, Reply>,
  asked: Asked,
  deps: PasskeysDeps,
): Promise<FactorChange<Reply>> {
  return { ...(await personOf(change.caller, asked, deps)), change }
}

/** The caller of a passkey call, with address and host. */
async function personOf(caller: Caller, { host, address }: Asked, { db, brands }: PasskeysDeps): Promise<FactorCaller> {
  const person = await findByUserId(db, caller.userId)
  if (person === undefined) throw new Error(`user ${caller.userId} made a call but does not exist`)
  const session = { signedInAt: await findSignInTime(db.plain, caller.tokenId) }
  return { caller, person, session, rp: relyingParty(await brands.forHost(host)), host, address }
}
