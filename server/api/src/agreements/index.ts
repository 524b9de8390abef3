import { acceptAgreement, getAgreement } from '@sightline/contract/agreements'
import { getDenyReason } from '@sightline/contract/rights'
import type { Db, Tx } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { createAgreementVersion } from '@sightline/platform/legal-texts'
import { fail, ok } from '@sightline/platform/result'
import { type AgreementUser, asksForAgreement, insertAcceptance, loadAcceptance } from './store.ts'

export { loadAgreements } from './store.ts'

interface Deps {
  readonly db: Db
  readonly now: () => number
  /** The operator's folder with texts of brands; if omitted, only our templates. */
  readonly legalFolder?: string | undefined
}

/** The services subscription agreement of a brand, which its users accept once in each version (decision 20). */
export const agreements = ({ db, now, legalFolder }: Deps) => {
  const versionFor = createAgreementVersion(legalFolder)
  return [
    serve(getAgreement, async (caller) => {
      const current = await versionFor(caller.resellerId)
      return db.inTenant(caller, async (tx) => {
        if (!(await asksForAgreement(tx, caller.resellerId))) {
          return ok({ asked: false, version: null, acceptedAt: null })
        }
        const acceptedAt = (await loadAcceptance(tx, caller, current)) ?? null
        // Asking a user who may not accept would lock them out permanently.
        const asked = acceptedAt === null && getDenyReason(acceptAgreement, caller) === undefined
        return ok({ asked, version: current, acceptedAt })
      })
    }),

    serveChange(acceptAgreement, async (change, { body }) => {
      const { caller } = change
      const current = await versionFor(caller.resellerId)
      return change.tx(caller, async (tx) => {
        if (!(await asksForAgreement(tx, caller.resellerId))) {
          return fail({ error: 'businessRule', detail: 'this brand does not have an agreement' })
        }
        if (body.version !== current) {
          return fail({
            error: 'businessRule',
            detail: `the current version of the agreement is ${current}: accept that version`,
          })
        }
        const isNew = await insertAcceptance(tx, caller, { version: current, at: now() })
        if (!isNew) return ok(undefined)
        const { userId: id } = caller
        const entry = { action: 'acceptAgreement', target: { kind: 'user', id }, before: null, after: { ...body } }
        await change.audit(entry)
        return ok(undefined)
      })
    }),
  ]
}

/** Whether the caller still has to accept the agreement. */
export async function owesAgreement(
  tx: Tx,
  person: AgreementUser & { readonly resellerId: number },
  legalFolder: string | undefined,
): Promise<boolean> {
  if (!(await asksForAgreement(tx, person.resellerId))) return false
  const version = await createAgreementVersion(legalFolder)(person.resellerId)
  return (await loadAcceptance(tx, person, version)) === undefined
}
