import type { CameraCommandAnswer, PasswordChange } from '@sightline/contract/media-plane'
import { type CameraConnect, OnvifCommander, setPassword } from '../source/index.ts'
import { ONVIF_PATH } from './camera-addition.ts'
import { toFailure } from './onvif-commands.ts'
import type { CameraToServe } from './store.ts'

/** How long to wait for a slow camera. */
const CHANGE_MS = 12_000

interface ChangeDeps {
  readonly camera: CameraToServe
  readonly connect: CameraConnect
  readonly openPassword: (camera: CameraToServe, sealed: Buffer) => Promise<string | undefined>
}

/**
 * Sets a password in the camera at its stored address. It signs in with the password of the command: the stored one may be another
 * by now.
 */
export async function changePassword(
  { camera, connect, openPassword }: ChangeDeps,
  { username, fromSealed, toSealed }: PasswordChange,
): Promise<CameraCommandAnswer<'changePassword'>> {
  const { address, allowBasic, onvif, mainPath, input } = camera
  if (onvif === null) return { kind: 'noOnvif' }
  const open = async (sealed: string | null): Promise<string> =>
    sealed === null ? '' : ((await openPassword(camera, Buffer.from(sealed, 'base64'))) ?? '')
  const device = new OnvifCommander({
    address: { host: address, port: onvif.port, path: ONVIF_PATH, isSecure: onvif.isSecure },
    credentials: { username, password: await open(fromSealed) },
    allowBasic,
    certificate: onvif.certificate ?? undefined,
    connect,
    stream: { mainPath, input },
  })
  const password = await open(toSealed)
  const set = await setPassword(device, { username, password }, AbortSignal.timeout(CHANGE_MS))
  return set.ok ? { kind: 'done', output: set.value } : toFailure(set.failure)
}
