import { isIP } from 'node:net'
import type { AdditionStep, AdditionSubStatus } from '@sightline/contract/camera-additions'
import { fail, ok, type Result } from '@sightline/platform/result'
import {
  askOnvif,
  type CameraConnect,
  type CameraCredentials,
  type CameraFault,
  type CameraFaultKind,
  chooseStreams,
  fault,
  type OnvifCamera,
} from '../source/index.ts'
import { type AdditionSteps, isBeyond } from './addition-steps.ts'
import type { IdentifiedCamera } from './addition-store.ts'
import type { CameraToServe, OnvifEndpoint } from './store.ts'

/** Where cameras offer ONVIF, the most common first. */
const ONVIF_PORTS = [80, 8000, 8080, 2020, 8899] as const
const ONVIF_TLS_PORTS = [443, 8443] as const
export const ONVIF_PATH = '/onvif/device_service'
/** A port that is closed says so at once; one that says nothing for this long belongs to a device that is off. */
const CLOSED_PORT_MS = 2000
const IDENTIFY_MS = 30_000
/** A camera that just got its power, or its cable, is given this long. */
const OFFLINE_AFTER_MS = 20_000

interface Meaning {
  readonly subStatus: AdditionSubStatus
  /** Tried again for a while, because it may pass. */
  readonly late: boolean
}

const meaningOf: Readonly<Record<CameraFaultKind, Meaning>> = {
  credentialsIncorrect: { subStatus: 'credentialsIncorrect', late: false },
  addressRefused: { subStatus: 'addressNotAllowed', late: false },
  certificateChanged: { subStatus: 'unsupportedDevice', late: false },
  noVideo: { subStatus: 'unsupportedDevice', late: false },
  unsupportedCodec: { subStatus: 'unsupportedDevice', late: false },
  authenticationUnsupported: { subStatus: 'unsupportedDevice', late: false },
  transportUnsupported: { subStatus: 'unsupportedDevice', late: false },
  redirected: { subStatus: 'unsupportedDevice', late: true },
  streamNotFound: { subStatus: 'unsupportedDevice', late: true },
  busy: { subStatus: 'deviceOffline', late: true },
  badReply: { subStatus: 'deviceError', late: true },
  desync: { subStatus: 'deviceError', late: true },
  closed: { subStatus: 'deviceError', late: true },
  unreachable: { subStatus: 'deviceOffline', late: true },
  timeout: { subStatus: 'deviceOffline', late: true },
  silent: { subStatus: 'deviceOffline', late: true },
  damaged: { subStatus: 'deviceError', late: true },
  overloaded: { subStatus: 'unknown', late: true },
}

/**
 * Why an addition failed; undefined as long as it may still succeed. A wrong password ends it at the first try, because
 * cameras lock out addresses that repeat one. `lastStep`: how far it came.
 */
export function getFailure(
  { kind }: CameraFault,
  {
    elapsedMs,
    lastStep,
    address,
  }: { readonly elapsedMs: number; readonly lastStep: AdditionStep | null; readonly address: string },
): AdditionSubStatus | undefined {
  const { subStatus, late } = meaningOf[looksUnreachable(kind, address) ? 'unreachable' : kind]
  if (late && elapsedMs < OFFLINE_AFTER_MS) return undefined
  // What never spoke a protocol of cameras is none, as far as is known.
  return subStatus === 'deviceError' && !isBeyond(lastStep, 'reachable') ? 'unsupportedDevice' : subStatus
}

/**
 * A host name in a refused network looks like one of a camera that is off: otherwise the names of the operator's network could be
 * tried out. For an address in numbers, the owner learns only what the operator allows.
 */
export const looksUnreachable = (kind: CameraFaultKind, address: string): boolean =>
  kind === 'addressRefused' && isIP(address) === 0

interface FindDeps {
  readonly camera: Pick<CameraToServe, 'address' | 'namedPort' | 'allowBasic' | 'isSecure'>
  readonly credentials: CameraCredentials | undefined
  readonly connect: CameraConnect
  readonly signal: AbortSignal
  readonly steps: Pick<AdditionSteps, 'begin' | 'reached'>
  /** Milliseconds; never set back. */
  readonly monotonic?: () => number
}

interface IdentifyDeps extends FindDeps {
  readonly camera: FindDeps['camera'] & Pick<CameraToServe, 'input'>
}

/** A device that answers ONVIF, and where it does. */
export interface FoundOnvif {
  readonly camera: OnvifCamera
  readonly place: Pick<OnvifEndpoint, 'port' | 'isSecure'>
}

/** Asks a camera by ONVIF what it is and where its streams are. */
export async function identifyCamera(deps: IdentifyDeps): Promise<Result<IdentifiedCamera, CameraFault>> {
  const found = await findOnvif(deps)
  if (!found.ok) return found
  const identified = toIdentified(found.value, deps.camera.input)
  if (identified.ok) deps.steps.reached('streams')
  return identified
}

/**
 * Asks a device by ONVIF on the named port or the usual ones in turn. Ends at the first port that rejects the password, so that no
 * camera locks us out.
 */
export async function findOnvif(deps: FindDeps): Promise<Result<FoundOnvif, CameraFault>> {
  const { camera, credentials, steps, monotonic = () => performance.now() } = deps
  const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(IDENTIFY_MS)])
  let last: CameraFault = fault('unreachable', 'the camera did not respond')
  const connect: CameraConnect = async (target) => {
    const connected = await deps.connect(target)
    if (connected.ok) steps.reached('reachable')
    return connected
  }
  const onStep = (step: 'responded' | 'accepted') => steps.reached(step === 'responded' ? 'identified' : 'signedIn')
  steps.begin()
  for (const place of endpointsOf(camera)) {
    const began = monotonic()
    const address = { host: camera.address, path: ONVIF_PATH, ...place }
    const asked = await askOnvif({ address, credentials, allowBasic: camera.allowBasic, connect, signal, onStep })
    if (asked.ok) return ok({ camera: asked.value, place })
    const { kind } = asked.failure
    if (FINAL.has(kind)) return asked
    const isOff = kind === 'unreachable' && monotonic() - began >= CLOSED_PORT_MS
    // What a port that answers says is worth more than that another one is closed.
    if (last.kind === 'unreachable') last = asked.failure
    if (isOff || signal.aborted) break
  }
  return fail(last)
}

/** Over TLS last: most cameras have ONVIF without it, and a port that is named may be either. */
const endpointsOf = ({ namedPort, isSecure }: Pick<CameraToServe, 'namedPort' | 'isSecure'>) => [
  // A camera that is to be reached over TLS is never asked without it.
  ...(isSecure ? [] : (namedPort === null ? ONVIF_PORTS : [namedPort]).map(plain)),
  ...(namedPort === null ? ONVIF_TLS_PORTS : [namedPort]).map(secure),
]
const plain = (port: number) => ({ port, isSecure: false })
const secure = (port: number) => ({ port, isSecure: true })

/** Other ports would say the same, or would get a password that was refused here. */
const FINAL: ReadonlySet<CameraFaultKind> = new Set([
  'credentialsIncorrect',
  'addressRefused',
  'authenticationUnsupported',
  'unsupportedCodec',
])

function toIdentified({ camera, place }: FoundOnvif, input: number): Result<IdentifiedCamera, CameraFault> {
  const inputs = camera.sources.length
  const source = camera.sources[input - 1]
  if (source === undefined) return fail(fault('unsupportedCodec', `expected input ${input}, the device has ${inputs}`))
  const profiles = camera.profiles.filter((profile) => profile.source === source)
  const chosen = chooseStreams(profiles)
  if (chosen === undefined) {
    const encodings = [...new Set(profiles.map(({ encoding }) => encoding))].join(', ')
    return fail(fault('unsupportedCodec', `expected a profile with H.264 or H.265, got ${encodings || 'none'}`))
  }
  return ok({
    rtspPort: chosen.main.stream.port,
    mainPath: chosen.main.stream.path,
    subPath: chosen.sub?.stream.path ?? null,
    isSecure: chosen.main.stream.isSecure === true,
    onvif: { ...place, certificate: camera.certificate },
    brand: camera.manufacturer,
    model: camera.model,
    firmwareVersion: camera.firmwareVersion,
    serial: camera.serialNumber,
    macAddresses: camera.macAddresses,
    inputs,
    motionSources: inputs === 1 ? null : [...new Set(profiles.flatMap(({ eventSources }) => eventSources))],
  })
}
