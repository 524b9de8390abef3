import {
  askOnvif,
  type CameraConnect,
  type CameraCredentials,
  type CameraFaultKind,
  newCounters,
  playRtsp,
} from '../source/index.ts'
import { ONVIF_PATH } from './camera-addition.ts'
import type { MovableCamera } from './moved-camera-store.ts'

export interface RecognitionDeps {
  readonly camera: MovableCamera
  /** Where something is that names the camera's MAC address. */
  readonly address: string
  /** The MAC address that this machine's network has for it. */
  readonly resolved: string | undefined
  readonly credentials: CameraCredentials | undefined
  readonly connect: CameraConnect
  readonly signal: AbortSignal
}

/** `silent`: nothing to tell, as it may be off. `stranger`: it answers, but not as this camera; `why` is a part of a sentence. */
export type Recognition =
  | { readonly kind: 'camera' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'stranger'; readonly why: string }

const stranger = (why: string): Recognition => ({ kind: 'stranger', why })

const TRY_MS = 12_000

/**
 * Whether a device is the camera: it has its MAC address and serial number, shows its certificate, takes its password and plays its
 * stream, at the same ports. The password itself is never sent to it, only digests.
 */
export async function recognizeCamera(given: RecognitionDeps): Promise<Recognition> {
  const deps = { ...given, signal: AbortSignal.any([given.signal, AbortSignal.timeout(TRY_MS)]) }
  const { camera, resolved } = deps
  if (camera.onvif === null) {
    // Without ONVIF, only the network can identify it.
    return resolved === camera.macAddress ? await plays(deps) : stranger('has another MAC address')
  }
  const asked = await askOnvif({
    address: { host: deps.address, path: ONVIF_PATH, port: camera.onvif.port, isSecure: camera.onvif.isSecure },
    certificate: camera.onvif.certificate,
    credentials: deps.credentials,
    digestOnly: true,
    connect: deps.connect,
    signal: deps.signal,
  })
  if (!asked.ok) return ofFault(asked.failure.kind)
  const { macAddresses, serialNumber } = asked.value
  if (!macAddresses.includes(camera.macAddress) && resolved !== camera.macAddress)
    return stranger('has another MAC address')
  if (camera.serial !== '' && serialNumber !== '' && camera.serial !== serialNumber)
    return stranger('has another serial number')
  return await plays(deps)
}

async function plays({ camera, address, credentials, connect, signal }: RecognitionDeps): Promise<Recognition> {
  const { rtspPort: port, mainPath: path, isSecure, certificateSha256 } = camera
  const playing = new AbortController()
  const ended = await playRtsp({
    address: { host: address, port, path, isSecure },
    ...(credentials === undefined ? {} : { credentials }),
    pin: { sha256: certificateSha256 ?? undefined },
    connect,
    signal: AbortSignal.any([signal, playing.signal]),
    publish: () => undefined,
    counters: newCounters(),
    onStep: (step) => {
      if (step === 'playing') playing.abort()
    },
  })
  return playing.signal.aborted ? { kind: 'camera' } : ofFault(ended.kind)
}

const reasons: Readonly<Partial<Record<CameraFaultKind, string>>> = {
  credentialsIncorrect: 'rejected the saved user name and password',
  authenticationUnsupported: 'asks for the password in plain text',
  certificateChanged: 'shows another certificate',
  streamNotFound: 'doesn’t have the stream of this camera',
}

const ofFault = (kind: CameraFaultKind): Recognition => {
  const why = reasons[kind]
  return why === undefined ? { kind: 'silent' } : stranger(why)
}
