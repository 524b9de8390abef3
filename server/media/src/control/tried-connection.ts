import type {
  CameraCommandAnswer,
  ConnectionFailure,
  FoundConnection,
  TriedConnection,
  TriedConnectionAnswer,
} from '@sightline/contract/media-plane'
import { fail, ok, type Result } from '@sightline/platform/result'
import { type CameraConnect, type CameraFault, type CameraFaultKind, newCounters, playRtsp } from '../source/index.ts'
import { identifyCamera } from './camera-addition.ts'
import type { CameraToServe } from './store.ts'

/** How long to wait for a slow camera. */
export const TRY_MS = 12_000

interface TryDeps {
  readonly camera: CameraToServe
  readonly connect: CameraConnect
  readonly openPassword: (camera: CameraToServe, sealed: Buffer) => Promise<string | undefined>
}

/** Signs in to a camera as it isn't stored yet: at another address, or with other credentials. Changes nothing. */
export async function tryConnection(
  deps: TryDeps,
  input: TriedConnection,
): Promise<CameraCommandAnswer<'tryConnection'>> {
  const sealed = input.passwordSealed === null ? undefined : Buffer.from(input.passwordSealed, 'base64')
  const password = sealed === undefined ? undefined : await deps.openPassword(deps.camera, sealed)
  const credentials = input.username === null ? undefined : { username: input.username, password: password ?? '' }
  const signal = AbortSignal.timeout(TRY_MS)
  const attempt = { ...deps, input, credentials, signal }
  const found = deps.camera.onvif === null ? await findStream(attempt) : await findByOnvif(attempt)
  return { kind: 'done', output: toAnswer(found, signal) }
}

interface Attempt extends TryDeps {
  readonly input: TriedConnection
  readonly credentials: { readonly username: string; readonly password: string } | undefined
  readonly signal: AbortSignal
}

const toAnswer = (found: Result<FoundConnection, CameraFault>, signal: AbortSignal): TriedConnectionAnswer =>
  found.ok
    ? { kind: 'connected', found: found.value }
    : { kind: 'failed', reason: getTryFailure(found.failure, signal) }

/** Why a try failed that ends with the signal. */
export const getTryFailure = ({ kind }: CameraFault, signal: AbortSignal): ConnectionFailure =>
  signal.aborted ? 'timedOut' : (reasons[kind] ?? 'unusable')

/** What isn't here belongs to a device that answers, but not as this camera. */
const reasons: Readonly<Partial<Record<CameraFaultKind, ConnectionFailure>>> = {
  credentialsIncorrect: 'credentialsIncorrect',
  authenticationUnsupported: 'needsBasic',
  // Not told apart: otherwise the operator's networks could be tried out.
  addressRefused: 'deviceOffline',
  unreachable: 'deviceOffline',
  timeout: 'deviceOffline',
  silent: 'deviceOffline',
  closed: 'deviceOffline',
}

const noSteps = { begin: () => undefined, reached: () => undefined }

/** Asks by ONVIF, then plays the stream that it names: some cameras have other users for each of them. */
async function findByOnvif(attempt: Attempt): Promise<Result<FoundConnection, CameraFault>> {
  const { camera, input, credentials, connect, signal } = attempt
  const known = input.address === camera.address ? (camera.onvif?.port ?? null) : camera.namedPort
  const asked = {
    address: input.address,
    namedPort: input.port ?? known,
    allowBasic: input.allowBasic,
    isSecure: input.https,
    input: camera.input,
  }
  const identified = await identifyCamera({ camera: asked, credentials, connect, signal, steps: noSteps })
  if (!identified.ok) return identified
  const { rtspPort, mainPath, subPath, isSecure, onvif, serial } = identified.value
  const played = await playOnce(attempt, { host: input.address, port: rtspPort, path: mainPath, isSecure })
  const refused = played !== undefined && SAID_BY_CAMERA.has(played.kind) ? played : undefined
  if (refused !== undefined) return fail(refused)
  const certificate = onvif.certificate?.toString('hex') ?? null
  return ok({ rtspPort, mainPath, subPath, isSecure, onvif: { ...onvif, certificate }, serial })
}

/** Other faults of the stream, such as a camera that is busy, say nothing about address and password. */
const SAID_BY_CAMERA: ReadonlySet<CameraFaultKind> = new Set(['credentialsIncorrect', 'authenticationUnsupported'])

async function findStream(attempt: Attempt): Promise<Result<FoundConnection, CameraFault>> {
  const { camera, input } = attempt
  const { mainPath, subPath } = camera
  const rtspPort = input.port ?? camera.rtspPort
  const place = { host: input.address, port: rtspPort, path: mainPath, isSecure: input.https }
  const ended = await playOnce(attempt, place)
  if (ended !== undefined) return fail(ended)
  return ok({ rtspPort, mainPath, subPath, isSecure: input.https, onvif: null, serial: '' })
}

interface Place {
  readonly host: string
  readonly port: number
  readonly path: string
  readonly isSecure: boolean
}

/** Undefined if the stream began. */
async function playOnce(
  { input, credentials, connect, signal }: Attempt,
  address: Place,
): Promise<CameraFault | undefined> {
  const playing = new AbortController()
  const ended = await playRtsp({
    address,
    ...(credentials === undefined ? {} : { credentials }),
    allowBasic: input.allowBasic,
    connect,
    signal: AbortSignal.any([signal, playing.signal]),
    publish: () => undefined,
    counters: newCounters(),
    onStep: (step) => {
      if (step === 'playing') playing.abort()
    },
  })
  return playing.signal.aborted ? undefined : ended
}
