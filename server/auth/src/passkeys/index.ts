import {
  beginPasskey,
  confirmByPasskey,
  deletePasskey,
  getPasskeys,
  patchPasskey,
  patchPasskeys,
  postPasskey,
} from '@sightline/contract/passkeys'
import { forCalls, type Served, serve } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { Caller } from '@sightline/platform/sessions'
import { findFactor, recoveryCodesLeft } from '../mfa/index.ts'
import { findByUserId } from '../people/index.ts'
import { signedInAt } from '../sessions/index.ts'
import { add, askAfterPassword, begin, type PasskeysParts, remove, rename } from './changes.ts'
import { askForPasskey, passkeysAt } from './check.ts'
import { type Change, confirmPlace, proofFor } from './proof.ts'
import { relyingParty } from './relying-party.ts'
import { stateOf } from './shown.ts'
import { listPasskeys } from './store.ts'

export type { PasskeysParts } from './changes.ts'
export { askForPasskey, checkPasskey, type PasskeyCheckParts } from './check.ts'
export { type Change, prove } from './proof.ts'
export { relyingParty } from './relying-party.ts'
export { holdPasskeys, listPasskeys } from './store.ts'

interface Asked {
  readonly host: string
  readonly address: string
}

/** `users/self/passkeys`: the passkeys of the signed-in person (docs/decisions/0019). */
export const passkeys = (given: PasskeysParts): readonly Served[] => callsOf({ ...given, db: forCalls(given.db) })

const callsOf = (parts: PasskeysParts): readonly Served[] => [
  serve(getPasskeys, async (caller, asked) => {
    const { person, session, rp } = await changeOf(caller, asked, parts)
    const { plain } = parts.db
    const factor = await findFactor(plain, person.userId)
    const own = await listPasskeys(plain, person.userId)
    const left = await recoveryCodesLeft(plain, person.userId)
    return ok(stateOf({ passkeys: own, rp, factor, left, proof: proofFor(factor, session) }))
  }),
  serve(confirmByPasskey, async (caller, asked) => {
    const { person, rp } = await changeOf(caller, asked, parts)
    const own = await passkeysAt(parts.db, person.userId, rp)
    if (rp === undefined || own.length === 0) {
      return fail({ error: 'businessRule', detail: 'there is no passkey of this host' })
    }
    return ok(await askForPasskey(confirmPlace(caller), { rp, userId: person.userId }, parts))
  }),
  serve(beginPasskey, async (caller, asked) => {
    const change = await changeOf(caller, asked, parts)
    return begin(change, asked.body.proof, parts)
  }),
  serve(postPasskey, async (caller, asked) => add(await changeOf(caller, asked, parts), asked.body, parts)),
  serve(patchPasskeys, async (caller, asked) => {
    const { body, changedSince } = asked
    return askAfterPassword(await changeOf(caller, asked, parts), { ...body, changedSince }, parts)
  }),
  serve(patchPasskey, async (caller, asked) => {
    const { body, params, changedSince } = asked
    return rename(await changeOf(caller, asked, parts), { ...params, ...body, changedSince }, parts)
  }),
  serve(deletePasskey, async (caller, asked) =>
    remove(await changeOf(caller, asked, parts), asked.params.passkeyId, parts),
  ),
]

/** Who changes something about their factors, and from where. */
export async function changeOf(
  caller: Caller,
  { host, address }: Asked,
  { db, brands }: PasskeysParts,
): Promise<Change> {
  const person = await findByUserId(db, caller.userId)
  if (person === undefined) throw new Error(`user ${caller.userId} calls and is nobody`)
  const session = { signedInAt: await signedInAt(db.plain, caller.tokenId) }
  return { caller, person, session, rp: relyingParty(await brands.forHost(host)), host, address }
}
