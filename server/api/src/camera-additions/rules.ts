import {
  type AddedCamera,
  type AdditionStatus,
  type AdditionStep,
  type AdditionSubStatus,
  additionSteps,
  type CameraAddition,
  mayAddCameras,
  type NewCamera,
} from '@sightline/contract/camera-additions'
import type { Camera } from '@sightline/contract/cameras'
import { type ApiError, type ErrorName, errorCatalogue, toErrorBody } from '@sightline/contract/errors'
import { customMessages } from '@sightline/contract/errors/messages'
import type { Result } from '@sightline/platform/result'

/** Why this server can't add a camera that way; undefined if it can. */
export function unsupportedAddition(given: Omit<NewCamera, 'name' | 'zoneId'>): ApiError | undefined {
  const { streamPath, subStreamPath, ethMacAddress, channel } = given
  const unaddressed = addressFault(given)
  if (unaddressed !== undefined) return unaddressed
  if (ethMacAddress !== undefined && streamPath !== undefined) {
    const message = 'only with address'
    return { error: 'validation', detail: `streamPath ${message}`, fields: [{ field: 'streamPath', message }] }
  }
  if (channel !== undefined && streamPath !== undefined) {
    const message = 'only without streamPath'
    return { error: 'validation', detail: `channel ${message}`, fields: [{ field: 'channel', message }] }
  }
  if (subStreamPath !== undefined && (streamPath === undefined || subStreamPath === streamPath)) {
    const message = streamPath === undefined ? 'needs streamPath' : 'must be another path than streamPath'
    return { error: 'validation', detail: `subStreamPath ${message}`, fields: [{ field: 'subStreamPath', message }] }
  }
  return undefined
}

/** What is added is named by its address or by its MAC address, never by both. */
export function addressFault({
  address,
  ethMacAddress,
}: Pick<NewCamera, 'address' | 'ethMacAddress'>): ApiError | undefined {
  if ((address === undefined) !== (ethMacAddress === undefined)) return undefined
  const message = address === undefined ? 'Please enter an IP address or host name' : 'either address or ethMacAddress'
  return { error: 'validation', detail: `address: ${message}`, fields: [{ field: 'address', message }] }
}

/** Why the caller may not add what is named in that way. */
export function additionDenyReason(
  { rights }: { readonly rights: Pick<ReadonlySet<string>, 'has'> },
  { ethMacAddress }: Pick<NewCamera, 'ethMacAddress'>,
): ApiError | undefined {
  const right = ethMacAddress === undefined ? 'addCameraManually' : 'addPnpCamera'
  return rights.has(right) ? undefined : { error: 'notAuthorized', detail: `this needs the right ${right}` }
}

/** Why the caller may not follow, retry or dismiss an addition. */
export const followingDenyReason = ({
  rights,
}: {
  readonly rights: Pick<ReadonlySet<string>, 'has'>
}): ApiError | undefined =>
  mayAddCameras(rights)
    ? undefined
    : { error: 'notAuthorized', detail: 'this needs the right addCameraManually or addPnpCamera' }

/** What was removed rests for two minutes (specification §6). */
export const recentlyRemoved: ApiError = {
  error: 'deviceNotReady',
  detail: 'it was removed less than two minutes ago: wait two minutes, then add it again',
}

type ConnectedStream = Pick<NewCamera, 'address' | 'ethMacAddress' | 'port' | 'streamPath' | 'channel'>

/** The same for the same stream of a camera, however it is written. The first input is that without a number. */
export const connectionKey = ({ address, ethMacAddress, port, streamPath, channel = 1 }: ConnectedStream): string =>
  JSON.stringify([address ?? ethMacAddress, port ?? null, streamPath ?? null, ...(channel === 1 ? [] : [channel])])

/** What tells a camera or recorder of an account from its others: the key, and the machines that reach it; none: every machine. */
export interface NamedConnection {
  readonly key: string
  readonly machines: readonly string[]
}

export const namedConnection = (given: ConnectedStream & Pick<NewCamera, 'machines'>): NamedConnection => ({
  key: connectionKey(given),
  machines: given.machines ?? [],
})

/** What the audit log keeps of a new camera. Never the password. */
export const toAuditSettings = (camera: NewCamera) => {
  const { name, zoneId, port, username, streamPath, subStreamPath, https, allowBasic, channel, machines = [] } = camera
  return {
    name,
    zoneId,
    ...(camera.address === undefined ? { ethMacAddress: camera.ethMacAddress } : { address: camera.address }),
    ...(port === undefined ? {} : { port }),
    ...(username === undefined ? {} : { username }),
    ...(streamPath === undefined ? {} : { streamPath }),
    ...(subStreamPath === undefined ? {} : { subStreamPath }),
    ...(channel === undefined ? {} : { channel }),
    ...(https === true ? { https } : {}),
    ...(allowBasic === true ? { allowBasic } : {}),
    ...(machines.length === 0 ? {} : { machines }),
  }
}

export interface AdditionState {
  readonly status: AdditionStatus
  readonly subStatus: AdditionSubStatus
  /** The last step that succeeded. */
  readonly lastStep: AdditionStep | null
  /** Video inputs of the device; 0 if unknown. */
  readonly channels: number
  /** Whether the camera has been given credentials. */
  readonly hasCredentials: boolean
}

/** The error for a failure; without credentials, those that the camera has by default were expected. */
const errorOf: Readonly<Record<AdditionSubStatus, ErrorName | undefined>> = {
  none: undefined,
  deviceOffline: 'deviceOffline',
  // The same as a camera that is off: what is refused and what is closed can't be told apart by the code.
  addressNotAllowed: 'deviceOffline',
  credentialsIncorrect: 'deviceCredentialsIncorrect',
  alreadyAttached: 'duplicate',
  recentlyRemoved: 'deviceNotReady',
  unsupportedDevice: 'validation',
  deviceError: 'deviceInternal',
  firmwareUpgrading: 'deviceInternal',
  cloudUnreachable: 'internal',
  unknown: 'internal',
}

/** The error of an addition that failed, with the text of the operation that reports it; nulls for others. */
export function additionFailure(
  { status, subStatus, hasCredentials }: Pick<AdditionState, 'status' | 'subStatus' | 'hasCredentials'>,
  operation: number,
): Pick<CameraAddition, 'code' | 'message'> {
  const error = status === 'failure' ? errorOf[subStatus] : undefined
  if (error === undefined) return { code: null, message: null }
  const isMissing = subStatus === 'credentialsIncorrect' && !hasCredentials
  const { code, title } = errorCatalogue[isMissing ? 'authenticationFailed' : error]
  if (subStatus === 'recentlyRemoved') return { code, message: WAIT }
  return { code, message: customMessages[operation]?.[code] ?? title }
}
const OPERATION = 59
const WAIT = 'It was removed less than two minutes ago. Wait two minutes, then add it again.'

/** The reply of the poll. */
export const toAddition = (cameraId: number, state: AdditionState): CameraAddition => {
  const { status, subStatus, channels } = state
  const steps = additionSteps(state)
  return {
    cameraId,
    status,
    subStatus,
    steps,
    ...additionFailure(state, OPERATION),
    channels,
    Status: status,
    SubStatus: subStatus,
  }
}

/** Whether the addition is at another point than the caller knows; without one, only the end is news. */
export function isNews(
  { status, steps }: Pick<CameraAddition, 'status' | 'steps'>,
  { known, knownStep }: { readonly known?: AdditionStatus | undefined; readonly knownStep?: AdditionStep | undefined },
): boolean {
  if (known === undefined) return status === 'added' || status === 'failure'
  const current = steps.find(({ state }) => state === 'running' || state === 'failed')?.step
  return status !== known || (knownStep !== undefined && current !== knownStep)
}

/** The error of one camera of several whose values are invalid. */
export function invalidRow({
  issues,
}: {
  readonly issues: readonly { path: PropertyKey[]; message: string }[]
}): ApiError {
  const fields = issues.map(({ path, message }) => ({ field: path.map(String).join('.'), message }))
  return { error: 'validation', detail: fields.map(({ field, message }) => `${field}: ${message}`).join('; '), fields }
}

export const toRowResult = (result: Result<Camera, ApiError>): AddedCamera =>
  result.ok ? { camera: result.value, error: null } : { camera: null, error: toErrorBody(result.failure) }
