import { randomBytes } from 'node:crypto'
import {
  getBodyCameraTrack,
  getSetupCode,
  MAX_OPEN_SETUP_CODES,
  MAX_TRACK_MS,
  MAX_TRACK_POINTS,
  postSetupCode,
  SETUP_CODE_LIFE_MS,
  type SetupNetwork,
  setupPayload,
} from '@sightline/contract/body-cameras'
import type { ApiError } from '@sightline/contract/errors'
import { holdsZone } from '@sightline/contract/zones'
import { type Clock, MS_PER_HOUR } from '@sightline/platform/clock'
import type { Db, IdSource, MobileNetworkJson } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import type { JobTasks } from '@sightline/platform/jobs'
import { fail, ok } from '@sightline/platform/result'
import { tokenSha256 } from '@sightline/platform/sessions'
import { findCameraInScope, keepZone } from '../cameras/index.ts'
import { deviceCalls } from './device-calls.ts'
import { countOpenCodes, countPositions, findCode, insertCode, loadTrack, pruneBodyCameras } from './store.ts'

interface Deps {
  readonly db: Db
  readonly deviceDb: Db
  readonly ids: IdSource
  readonly now: () => number
  readonly mediaOrigin: (host: string) => string
}

/** Random bits of a code: 256; the QR code stays small enough for the camera of a body-worn camera. */
const CODE_BYTES = 32

export const bodyCameras = (deps: Deps) => [...settingUp(deps), getTrack(deps), ...deviceCalls(deps)]

const settingUp = ({ db, ids, now, mediaOrigin }: Deps) => [
  serveChange(postSetupCode, async (change, { body, host }) => {
    const { accountId, userId } = change.caller
    const { zoneId, name, wifi, mobile } = body
    const code = randomBytes(CODE_BYTES).toString('base64url')
    const setupCodeId = await ids.next()
    return change.tx(change.caller, async (tx) => {
      const asked = await change.reauthorize()
      if (!asked.ok) return asked
      const isTheirs = holdsZone(asked.value, { accountId, zoneId }) && (await keepZone(tx, { accountId, zoneId }))
      if (!isTheirs) return fail(noSuchZone)
      if ((await countOpenCodes(tx, accountId, now())) >= MAX_OPEN_SETUP_CODES) return fail(tooManyCodes)
      const created = await insertCode(tx, {
        accountId,
        setupCodeId,
        sha256: tokenSha256(code),
        zoneId,
        cameraName: name,
        createdBy: userId,
        expiresAt: now() + SETUP_CODE_LIFE_MS,
        mobileNetwork: withoutPassword(mobile),
      })
      const network = wifi === undefined ? 'mobile' : 'wifi'
      // The code, the network's name and its passwords stay out of the log.
      await change.audit({ action: postSetupCode.name, target: { kind: 'zone', id: zoneId }, after: { name, network } })
      const url = mediaOrigin(host).replace(/^ws/, 'http')
      return ok({ ...created, payload: setupPayload({ url, code, wifi, mobile }) })
    })
  }),

  serve(getSetupCode, (caller, { params }) =>
    db.inTenant(caller, async (tx) => {
      const { accountId } = caller
      const found = await findCode(tx, { accountId, ...params })
      return found !== undefined && holdsZone(caller, { accountId, zoneId: found.zoneId })
        ? ok(found)
        : fail({ error: 'notFound' })
    }),
  ),
]

/** What is kept of the network in a code. It has no name there, so its access point names it. */
function withoutPassword(mobile: SetupNetwork['mobile']): MobileNetworkJson | null {
  if (mobile === undefined) return null
  const { apn, mcc, mnc, userName = '', password = '' } = mobile
  return {
    name: apn,
    accessPointName: apn,
    userName: userName === '' ? null : userName,
    needsPassword: password !== '',
    mobileCountryCode: mcc,
    mobileNetworkCode: mnc,
  }
}

const getTrack = ({ db }: Deps) =>
  serve(getBodyCameraTrack, async (caller, { params, query }) => {
    const { from, till } = query
    if (till <= from || till - from > MAX_TRACK_MS) return fail(wrongRange)
    const camera = await findCameraInScope(db, caller, params.cameraId)
    if (!camera.ok) return camera
    const range = { accountId: caller.accountId, cameraId: params.cameraId, from, till }
    return db.inTenant(caller, async (tx) => {
      const isShort = (await countPositions(tx, range)) <= MAX_TRACK_POINTS
      return ok(
        await loadTrack(tx, { ...range, everyMs: isShort ? 1 : Math.ceil((till - from) / (MAX_TRACK_POINTS - 1)) }),
      )
    })
  })

/** Positions age out with their camera's footage. */
export const bodyCameraTasks = ({ db, clock }: { readonly db: Db; readonly clock: Clock }): JobTasks => ({
  pruneBodyCameraTracks: {
    everyMs: MS_PER_HOUR,
    async run() {
      await pruneBodyCameras(db, clock.now())
      return ok(undefined)
    },
  },
})

const noSuchZone: ApiError = { error: 'notFound', detail: "zone not found, or you don't have access to it" }
const tooManyCodes: ApiError = {
  error: 'businessRule',
  detail: `an account has at most ${MAX_OPEN_SETUP_CODES} set-up codes that weren't used; they expire after 30 minutes`,
}
const wrongRange: ApiError = {
  error: 'validation',
  detail: 'a track begins before it ends and covers at most 31 days',
  fields: [{ field: 'till', message: 'must be after from, at most 31 days later' }],
}
