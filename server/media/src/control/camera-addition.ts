import { fail, ok, type Result } from '@sightline/platform/result'
import {
  askOnvif,
  type CameraConnect,
  type CameraCredentials,
  type CameraFault,
  type CameraFaultKind,
  type CameraState,
  chooseStreams,
  fault,
  type OnvifCamera,
} from '../source/index.ts'
import type { AdditionOutcome, CameraToServe, IdentifiedCamera, OnvifEndpoint } from './store.ts'

/** Where cameras offer ONVIF, the most common first. */
const ONVIF_PORTS = [80, 8000, 8080, 2020, 8899] as const
const ONVIF_TLS_PORTS = [443, 8443] as const
const ONVIF_PATH = '/onvif/device_service'
/** A port that is closed says so at once; one that says nothing for this long belongs to a device that is off. */
const CLOSED_PORT_MS = 2000
const IDENTIFY_MS = 30_000
/** A camera that just got its power, or its cable, is given this long. */
const OFFLINE_AFTER_MS = 20_000

const ADDED: AdditionOutcome = { status: 'added', subStatus: 'none' }

/** What a fault means for an addition; `late` ones are tried again for a while, because they may pass. */
const meaningOf: Readonly<
  Record<CameraFaultKind, { readonly subStatus: AdditionOutcome['subStatus']; readonly late: boolean }>
> = {
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
  badReply: { subStatus: 'unsupportedDevice', late: true },
  desync: { subStatus: 'unsupportedDevice', late: true },
  closed: { subStatus: 'unsupportedDevice', late: true },
  unreachable: { subStatus: 'deviceOffline', late: true },
  timeout: { subStatus: 'deviceOffline', late: true },
  silent: { subStatus: 'deviceOffline', late: true },
  damaged: { subStatus: 'deviceOffline', late: true },
}

/**
 * The outcome of an addition after a fault; undefined as long as it may still succeed. A wrong password ends it at the
 * first try, because cameras lock out addresses that repeat one.
 */
export function outcomeOfFault({ kind }: CameraFault, elapsedMs: number): AdditionOutcome | undefined {
  const { subStatus, late } = meaningOf[kind]
  return late && elapsedMs < OFFLINE_AFTER_MS ? undefined : { status: 'failure', subStatus }
}

/** The same for a change of the camera's connection. */
export function outcomeOfState(state: CameraState, elapsedMs: number): AdditionOutcome | undefined {
  if (state.kind === 'online') return ADDED
  return state.kind === 'offline' ? outcomeOfFault(state.cause, elapsedMs) : undefined
}

interface IdentifyDeps {
  readonly camera: Pick<CameraToServe, 'address' | 'namedPort' | 'allowBasic' | 'input'>
  readonly credentials: CameraCredentials | undefined
  readonly connect: CameraConnect
  readonly signal: AbortSignal
  /** Milliseconds; never set back. */
  readonly monotonic?: () => number
}

/**
 * Asks a camera by ONVIF what it is and where its streams are, on the named port or the usual ones in turn. Ends at the first port
 * that rejects the password, so that no camera locks us out.
 */
export async function identifyCamera(deps: IdentifyDeps): Promise<Result<IdentifiedCamera, CameraFault>> {
  const { camera, credentials, connect, monotonic = () => performance.now() } = deps
  const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(IDENTIFY_MS)])
  let last: CameraFault = fault('unreachable', 'the camera did not respond')
  for (const { port, isSecure } of endpointsOf(camera.namedPort)) {
    const began = monotonic()
    const address = { host: camera.address, port, path: ONVIF_PATH, isSecure }
    const asked = await askOnvif({ address, credentials, allowBasic: camera.allowBasic, connect, signal })
    if (asked.ok) return toIdentified(asked.value, { port, isSecure }, camera.input)
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
const endpointsOf = (namedPort: number | null) =>
  namedPort === null
    ? [...ONVIF_PORTS.map(plain), ...ONVIF_TLS_PORTS.map(secure)]
    : [plain(namedPort), secure(namedPort)]
const plain = (port: number) => ({ port, isSecure: false })
const secure = (port: number) => ({ port, isSecure: true })

/** Other ports would say the same, or would get a password that was refused here. */
const FINAL: ReadonlySet<CameraFaultKind> = new Set([
  'credentialsIncorrect',
  'addressRefused',
  'authenticationUnsupported',
  'unsupportedCodec',
])

function toIdentified(
  camera: OnvifCamera,
  place: Pick<OnvifEndpoint, 'port' | 'isSecure'>,
  input: number,
): Result<IdentifiedCamera, CameraFault> {
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
    inputs,
    motionSources: inputs === 1 ? null : [...new Set(profiles.flatMap(({ eventSources }) => eventSources))],
  })
}
