import type { ApiError } from '@sightline/contract/errors'
import { getMobileNetwork, type NewMobileNetwork, putMobileNetwork } from '@sightline/contract/mobile-networks'
import type { Db, MobileNetworkJson } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { findCamera, lockCamera } from '../cameras/index.ts'
import { loadMobileNetwork, saveMobileNetwork } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const notBodyWorn: ApiError = {
  error: 'capabilityNotSupported',
  detail: 'only body-worn cameras have a mobile network that can be set from here: ONVIF has no way to set one',
}

interface Deps {
  readonly db: Db
  readonly now: () => number
}

/** The mobile networks of body-worn cameras. They reach a camera by a QR code, so nothing is sent to it from here. */
export const mobileNetworks = ({ db, now }: Deps) => [
  serve(getMobileNetwork, (caller, { params: { cameraId } }) =>
    db.inTenant(caller, async (tx) => {
      if ((await findCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
      const network = await loadMobileNetwork(tx, { accountId: caller.accountId, cameraId })
      return network === undefined ? fail(notBodyWorn) : ok(network)
    }),
  ),

  serveChange(putMobileNetwork, (change, { params: { cameraId }, body }) => {
    const { caller } = change
    const of = { accountId: caller.accountId, cameraId }
    return change.tx(caller, async (tx) => {
      if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
      const before = await loadMobileNetwork(tx, of)
      if (before === undefined) return fail(notBodyWorn)
      change.ifMatch(before)
      const network = toNetwork(body)
      await saveMobileNetwork(tx, of, network)
      const after = { cameraId, ...network }
      const changed = { action: 'putMobileNetwork', before, after }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed, data: {} })
      return ok(after)
    })
  }),
]

const toNetwork = ({ userName, needsPassword = false, ...network }: NewMobileNetwork): MobileNetworkJson => ({
  ...network,
  userName: userName === undefined || userName === '' ? null : userName,
  needsPassword,
})
