import type { CameraCommandAnswer, TriedSignIn } from '@sightline/contract/media-plane'
import type { CameraConnect } from '../source/index.ts'
import { findDevice } from './device-search.ts'
import type { DeviceToServe } from './device-store.ts'
import { getTryFailure, TRY_MS } from './tried-connection.ts'

interface SignInDeps {
  readonly device: DeviceToServe
  readonly connect: CameraConnect
  readonly openPassword: (sealed: Buffer) => Promise<string>
}

const noSteps = { begin: () => undefined, reached: () => undefined }

/** Signs in to a recorder with credentials that aren't stored yet. Changes nothing. */
export async function trySignIn(
  { device, connect, openPassword }: SignInDeps,
  { username, passwordSealed }: TriedSignIn,
): Promise<CameraCommandAnswer<'trySignIn'>> {
  const password = passwordSealed === null ? '' : await openPassword(Buffer.from(passwordSealed, 'base64'))
  const credentials = username === null ? undefined : { username, password }
  const signal = AbortSignal.timeout(TRY_MS)
  const found = await findDevice(device, device.onvif, { credentials, connect, signal, steps: noSteps })
  if (found.ok) return { kind: 'done', output: { kind: 'accepted' } }
  return { kind: 'done', output: { kind: 'failed', reason: getTryFailure(found.failure, signal) } }
}
