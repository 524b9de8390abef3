import {
  cameraAddressProblem,
  type NewCamera,
  normalizeCameraAddress,
  parseMacAddress,
  streamPathProblem,
} from '@sightline/contract/camera-additions'
import { zoneOrCameraNameProblem } from '@sightline/contract/zones'
import { type Form, useForm } from '@sightline/kit'
import { useText } from './text.ts'

/** The values of the form, as typed. An empty port or path means the usual one. */
export interface AdditionValues {
  readonly [field: string]: string
  readonly name: string
  readonly zoneId: string
  /** Of the network, or the MAC address. */
  readonly address: string
  readonly username: string
  readonly password: string
  readonly port: string
  readonly streamPath: string
  readonly subStreamPath: string
  /** The input of a recorder; empty for the first. */
  readonly channel: string
  readonly brand: string
  readonly model: string
  /** `yes` for a camera that is reached over TLS only. */
  readonly https: string
  /** `yes` if the password may be sent in plain text. */
  readonly allowBasic: string
}
export type AdditionForm = Form<AdditionValues>

export const additionFields = [
  'name',
  'zoneId',
  'address',
  'username',
  'password',
  'port',
  'streamPath',
  'subStreamPath',
  'channel',
  'brand',
  'model',
  'https',
  'allowBasic',
] as const

/** An empty form for a camera in that zone. */
export const emptyAddition = (zoneId: string): AdditionValues => ({
  name: '',
  zoneId,
  address: '',
  username: '',
  password: '',
  port: '',
  streamPath: '',
  subStreamPath: '',
  channel: '',
  brand: '',
  model: '',
  https: '',
  allowBasic: '',
})

const MAX_PORT = 65_535

/** Why a port can't be sent; an empty one means the usual. */
export function portProblem(text: string): string | undefined {
  const port = text.trim()
  if (port === '') return undefined
  const isPort = /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= MAX_PORT
  return isPort ? undefined : 'Enter a port from 1 to 65535'
}

const MAX_INPUT = 256

function inputProblem(text: string): string | undefined {
  const input = text.trim()
  const isInput = input === '' || (/^\d{1,3}$/.test(input) && Number(input) >= 1 && Number(input) <= MAX_INPUT)
  return isInput ? undefined : 'Enter a number from 1 to 256'
}

const pathProblem = (path: string) => (path.trim() === '' ? undefined : streamPathProblem(path.trim()))

/** A MAC address, or an address in the network. */
const addressProblem = (text: string) =>
  parseMacAddress(text) === undefined ? cameraAddressProblem(normalizeCameraAddress(text)) : undefined

const MAX_LABEL = 64
const labelProblem = (text: string) => (text.trim().length > MAX_LABEL ? 'This text is too long' : undefined)

export const additionRules = {
  brand: labelProblem,
  model: labelProblem,
  name: (name: string) => zoneOrCameraNameProblem('Camera', name),
  address: addressProblem,
  port: portProblem,
  streamPath: pathProblem,
  subStreamPath: pathProblem,
  channel: inputProblem,
}

export function useAdditionForm(start: AdditionValues): AdditionForm {
  const t = useText()
  return useForm(start, additionRules, t.message)
}

/** The parts of an address with a scheme, as makers print it: `rtsp://user:password@192.168.1.64:8554/stream1`. */
export function parseStreamAddress(text: string): Partial<AdditionValues> | undefined {
  const typed = text.trim()
  const [, secure] = /^rtsp(s?):\/\//i.exec(typed) ?? []
  if (secure === undefined) return undefined
  // Browsers parse the parts of http addresses only.
  const address = typed.replace(/^rtsps?/i, 'http')
  if (!URL.canParse(address)) return undefined
  const { hostname, port, pathname, search, username, password } = new URL(address)
  return {
    address: hostname.replaceAll(/[[\]]/g, ''),
    port: port === '' && /:80(?:\/|$)/.test(typed) ? '80' : port,
    streamPath: pathname === '/' && search === '' ? '/' : `${pathname}${search}`,
    ...(secure === '' ? {} : { https: 'yes' }),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  }
}

/** Where a search found a device; empty for one that was typed. */
export interface FoundLocation {
  readonly foundAt: string
  /** The machines that found it, separated by commas; empty: all of them. */
  readonly machines: string
}

/** The machines that reach a device, for a request. Those of another address than the typed one don't count. */
export const machinesBody = ({ address, foundAt, machines }: FoundLocation & { readonly address: string }) =>
  machines === '' || foundAt !== address.trim() ? {} : { machines: machines.split(',') }

/** The request for a valid form. */
export function additionBody(values: AdditionValues): NewCamera {
  const { port, streamPath, subStreamPath, channel, https, brand, model, username, allowBasic } = values
  const hasPath = streamPath.trim() !== ''
  const ethMacAddress = parseMacAddress(values.address)
  return {
    name: values.name.trim(),
    zoneId: Number(values.zoneId),
    ...(ethMacAddress === undefined ? { address: values.address.trim() } : { ethMacAddress }),
    ...(username.trim() === '' ? {} : { username: username.trim(), password: values.password }),
    ...(port.trim() === '' ? {} : { port: Number(port) }),
    ...(hasPath ? { streamPath: streamPath.trim() } : {}),
    ...(hasPath && subStreamPath.trim() !== '' ? { subStreamPath: subStreamPath.trim() } : {}),
    ...(!hasPath && channel.trim() !== '' ? { channel: Number(channel) } : {}),
    ...(brand.trim() === '' ? {} : { brand: brand.trim() }),
    ...(model.trim() === '' ? {} : { model: model.trim() }),
    ...(https === 'yes' ? { https: true } : {}),
    ...(allowBasic === 'yes' ? { allowBasic: true } : {}),
  }
}
