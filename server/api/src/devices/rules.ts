import {
  type AdditionStatus,
  type AdditionStep,
  type AdditionSubStatus,
  additionSteps,
} from '@sightline/contract/camera-additions'
import type { DeviceAddition, NewDevice, RecorderDevice } from '@sightline/contract/devices'

/** The most inputs that a recorder has. */
export const MAX_INPUTS = 256

/** The same for the same device, however it is written. */
export const deviceKey = ({
  address,
  ethMacAddress,
  port,
}: Pick<NewDevice, 'address' | 'ethMacAddress' | 'port'>): string =>
  JSON.stringify([address ?? ethMacAddress, port ?? null])

/** What the audit log keeps of a new device. Never the password. */
export const toAuditSettings = ({
  name,
  zoneId,
  address,
  ethMacAddress,
  port,
  username,
  allowBasic,
  machines = [],
}: NewDevice) => ({
  name,
  zoneId,
  ...(address === undefined ? { ethMacAddress } : { address }),
  ...(port === undefined ? {} : { port }),
  ...(username === undefined ? {} : { username }),
  ...(allowBasic === true ? { allowBasic } : {}),
  ...(machines.length === 0 ? {} : { machines }),
})

/** The changeable values of a device, for the audit log. */
export const toSettings = ({ name, zoneId }: RecorderDevice) => ({ name, zoneId })

/** A recorder has no picture and no recording of its own. */
const STEPS: ReadonlySet<AdditionStep> = new Set(['reachable', 'identified', 'signedIn', 'streams'])

export interface DeviceAdditionState {
  readonly status: AdditionStatus
  readonly subStatus: AdditionSubStatus
  /** The last step that succeeded. */
  readonly lastStep: AdditionStep | null
  /** Video inputs of the device; 0 if unknown. */
  readonly channels: number
  readonly hasCredentials: boolean
}

/** The reply of the poll. */
export const toAddition = (
  deviceId: number,
  state: DeviceAdditionState,
  failure: Pick<DeviceAddition, 'code' | 'message'>,
): DeviceAddition => {
  const { status, subStatus, channels } = state
  const steps = additionSteps(state).filter(({ step }) => STEPS.has(step))
  return { deviceId, status, subStatus, steps, ...failure, channels, Status: status, SubStatus: subStatus }
}
