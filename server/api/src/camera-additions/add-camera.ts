import type { NewCamera } from '@sightline/contract/camera-additions'
import { appendAudit } from '@sightline/platform/audit'
import type { Db, IdSource } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { fail, ok, type Result } from '@sightline/platform/result'
import { slotFault } from '../cameras/index.ts'
import { namedConnection, toAuditSettings, unsupportedAddition } from './rules.ts'
import { isAlreadyAdded, lockFailedAddition, saveAddition } from './store.ts'

interface OperatorAddition {
  readonly accountId: number
  readonly given: NewCamera
  readonly ids: IdSource
  readonly encryption: EnvelopeEncryption
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Adds a camera for the operator of the installation; its id, or a sentence about the error. The zone is the account's. */
export async function addCamera(db: Db, addition: OperatorAddition): Promise<Result<number, string>> {
  const { accountId, given, ids } = addition
  const unsupported = unsupportedAddition(given)
  if (unsupported !== undefined) return fail(unsupported.detail ?? unsupported.error)
  const newId = await ids.next()
  try {
    const cameraId = await db.inTenant({ accountId, userId: accountId }, async (tx) => {
      const failedId = await lockFailedAddition(tx, { accountId, ...namedConnection(given) })
      const id = failedId ?? newId
      await saveAddition(tx, { ...addition, cameraId: id }, failedId !== undefined)
      const entry = { action: 'postCamera', target: { kind: 'camera', id }, after: toAuditSettings(given) }
      await appendAudit(tx, { ids, caller: { accountId, userId: null, clientId: 'operator' }, address: '', entry })
      return id
    })
    return ok(cameraId)
  } catch (error) {
    if (isAlreadyAdded(error)) return fail('This camera has already been added to the account.')
    const full = slotFault(error, {})
    if (full !== undefined) return fail('There are not enough camera slots in the subscription of the account.')
    throw error
  }
}
