import { randomBytes } from 'node:crypto'
import { postBodyCameraPositions, registerBodyCamera } from '@sightline/contract/body-cameras'
import type { ApiError } from '@sightline/contract/errors'
import { appendAudit } from '@sightline/platform/audit'
import type { Db, IdSource } from '@sightline/platform/db'
import { serve } from '@sightline/platform/http'
import { addressGroup, createRateLimiter } from '@sightline/platform/limits'
import { fail, ok, type Result } from '@sightline/platform/result'
import { tokenSha256 } from '@sightline/platform/sessions'
import { slotFault } from '../cameras/index.ts'
import { findSecretOwner, insertBodyCamera, insertPositions, keepCamera, lockOpenCode } from './store.ts'

interface Deps {
  readonly deviceDb: Db
  readonly ids: IdSource
  readonly now: () => number
}

const TOKEN_BYTES = 32
/** Of one address. A code can't be guessed; this keeps guessing from costing queries. */
const REGISTRATIONS = { perSecond: 0.2, burst: 10 }
/** Of one camera. */
const REPORTS = { perSecond: 2, burst: 60 }
const MS_PER_HOUR = 3_600_000
/** A camera's clock may be ahead by this much. */
const CLOCK_TOLERANCE_MS = 300_000

/** The calls of body-worn cameras. They have no user, so each transaction has the scope of the account of their secret. */
export const deviceCalls = ({ deviceDb, ids, now }: Deps) => {
  const registrations = createRateLimiter(REGISTRATIONS, () => performance.now())
  const reports = createRateLimiter(REPORTS, () => performance.now())
  return [
    serve(registerBodyCamera, async (_caller, { body, address }) => {
      const waitMs = registrations.consume(addressGroup(address))
      if (waitMs !== undefined) return fail(tooMany(waitMs))
      const owner = await findSecretOwner(deviceDb, tokenSha256(body.code))
      if (owner === undefined || owner.setupCodeId === null) return fail(noSuchCode)
      const { accountId, setupCodeId } = owner
      const deviceToken = randomBytes(TOKEN_BYTES).toString('base64url')
      const cameraId = await ids.next()
      try {
        return await deviceDb.inTenant(
          { accountId, userId: accountId },
          async (tx): Promise<Result<Reply, ApiError>> => {
            const code = await lockOpenCode(tx, { accountId, setupCodeId, now: now() })
            if (code === undefined) return fail(noSuchCode)
            const { serialNumber, brand, model } = body
            const registered = { name: code.cameraName, zoneId: code.zoneId, serialNumber, brand, model }
            await insertBodyCamera(tx, {
              ...registered,
              accountId,
              setupCodeId,
              cameraId,
              tokenSha256: tokenSha256(deviceToken),
              mobileNetwork: code.mobileNetwork,
            })
            const target = { kind: 'camera', id: cameraId }
            const entry = { action: registerBodyCamera.name, target, after: registered }
            const caller = { accountId, userId: null, clientId: 'bodyCamera' }
            await appendAudit(tx, { ids, caller, address, entry })
            return ok({ cameraId, name: code.cameraName, deviceToken })
          },
        )
      } catch (error) {
        const full = slotFault(error, registerBodyCamera)
        if (full !== undefined) return fail(full)
        throw error
      }
    }),

    serve(postBodyCameraPositions, async (_caller, { body, header }) => {
      const token = /^bearer ([\w-]{43})$/i.exec(header('authorization') ?? '')?.[1]
      const owner = token === undefined ? undefined : await findSecretOwner(deviceDb, tokenSha256(token))
      if (owner === undefined || owner.cameraId === null) return fail(unknownToken)
      const { accountId, cameraId } = owner
      const waitMs = reports.consume(String(cameraId))
      if (waitMs !== undefined) return fail(tooMany(waitMs))
      return deviceDb.inTenant({ accountId, userId: accountId }, async (tx) => {
        const hours = await keepCamera(tx, { accountId, cameraId })
        if (hours === undefined) return fail(unknownToken)
        const [oldest, newest] = [now() - hours * MS_PER_HOUR, now() + CLOCK_TOLERANCE_MS]
        const inTime = body.positions.filter(({ time }) => time >= oldest && time <= newest)
        return ok({ stored: await insertPositions(tx, { accountId, cameraId }, inTime) })
      })
    }),
  ]
}

interface Reply {
  readonly cameraId: number
  readonly name: string
  readonly deviceToken: string
}

const noSuchCode: ApiError = { error: 'notFound', detail: 'unknown, expired or used set-up code: create a new one' }
const unknownToken: ApiError = {
  error: 'authenticationFailed',
  detail: 'the device token is missing or unknown: set up the camera again',
}
const tooMany = (waitMs: number): ApiError => ({ error: 'tooManyRequests', retryAfter: Math.max(1, waitMs / 1000) })
