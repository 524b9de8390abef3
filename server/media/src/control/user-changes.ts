import type { CameraCommandAnswer, CameraUserChange } from '@sightline/contract/media-plane'
import { changeUsers, type OnvifCommander, type OpenedUserChange } from '../source/index.ts'
import { toFailure } from './onvif-commands.ts'

/** How long to wait for a slow camera, which is asked up to three times. */
const CHANGE_MS = 12_000

interface ChangeDeps<Camera> {
  readonly camera: Camera
  /** Undefined for a camera without ONVIF. */
  readonly device: OnvifCommander | undefined
  readonly openPassword: (camera: Camera, sealed: Buffer) => Promise<string>
}

/** Adds, changes or removes a user in the camera. The password is opened here, and is in no message before. */
export async function changeCameraUsers<Camera>(
  { camera, device, openPassword }: ChangeDeps<Camera>,
  change: CameraUserChange,
): Promise<CameraCommandAnswer<'changeUsers'>> {
  if (device === undefined) return { kind: 'noOnvif' }
  const open = (sealed: string) => openPassword(camera, Buffer.from(sealed, 'base64'))
  const changed = await changeUsers(device, await opened(change, open), AbortSignal.timeout(CHANGE_MS))
  return changed.ok ? { kind: 'done', output: changed.value } : toFailure(changed.failure)
}

async function opened(change: CameraUserChange, open: (sealed: string) => Promise<string>): Promise<OpenedUserChange> {
  if (change.kind === 'remove') return change
  const { username, passwordSealed } = change
  if (change.kind === 'add')
    return { kind: 'add', username, level: change.level, password: await open(change.passwordSealed) }
  const password = passwordSealed === null ? null : await open(passwordSealed)
  return { kind: 'set', username, level: change.level, password }
}
