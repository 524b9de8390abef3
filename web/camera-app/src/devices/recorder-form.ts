import { cameraAddressProblem, normalizeCameraAddress, parseMacAddress } from '@sightline/contract/camera-additions'
import { deviceNameProblem, type NewDevice, type RecorderDevice } from '@sightline/contract/devices'
import { type Form, useForm } from '@sightline/kit'
import { type FoundLocation, machinesBody, portProblem } from '../camera-additions/index.ts'
import { useText } from './text.ts'

/** The values of the form, as typed. An empty port means the usual ones. */
export interface RecorderValues extends FoundLocation {
  readonly [field: string]: string
  readonly name: string
  readonly zoneId: string
  readonly address: string
  readonly port: string
  readonly username: string
  readonly password: string
  /** `yes` if the password may be sent in plain text. */
  readonly allowBasic: string
}
export type RecorderForm = Form<RecorderValues>

export const recorderFields = ['name', 'zoneId', 'address', 'port', 'username', 'password', 'allowBasic'] as const

export const emptyRecorder = (zoneId: string): RecorderValues => ({
  name: '',
  zoneId,
  address: '',
  port: '',
  username: '',
  password: '',
  allowBasic: '',
  foundAt: '',
  machines: '',
})

const rules = {
  name: deviceNameProblem,
  address: (address: string) =>
    parseMacAddress(address) === undefined ? cameraAddressProblem(normalizeCameraAddress(address)) : undefined,
  port: portProblem,
}

export function useRecorderForm(start: RecorderValues): RecorderForm {
  const t = useText()
  return useForm(start, rules, t.message)
}

/** The request for a valid form. */
export function recorderBody({
  name,
  zoneId,
  address,
  port,
  username,
  password,
  allowBasic,
  ...location
}: RecorderValues): NewDevice {
  const ethMacAddress = parseMacAddress(address)
  return {
    name: name.trim(),
    zoneId: Number(zoneId),
    ...(ethMacAddress === undefined ? { address: address.trim() } : { ethMacAddress }),
    ...(port.trim() === '' ? {} : { port: Number(port) }),
    ...(username.trim() === '' ? {} : { username: username.trim(), password }),
    ...(allowBasic === 'yes' ? { allowBasic: true } : {}),
    ...machinesBody({ address, ...location }),
  }
}

/** The values of a recorder that can be changed after it was added. */
export interface SettingsValues {
  readonly [field: string]: string
  readonly name: string
  readonly zoneId: string
}

export const settingsValues = ({ name, zoneId }: RecorderDevice): SettingsValues => ({ name, zoneId: String(zoneId) })

export function useSettingsForm(saved: SettingsValues): Form<SettingsValues> {
  const t = useText()
  return useForm(saved, { name: deviceNameProblem }, t.message)
}
