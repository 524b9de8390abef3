import type { CameraInformation } from '@sightline/contract/camera-capabilities'
import { fail, ok, type Result } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { type CameraFault, fault } from '../camera-fault.ts'
import { readMacAddresses } from './mac-addresses.ts'
import { DEVICE, OnvifClient, type OnvifOptions } from './onvif-client.ts'
import { listProfiles, type OnvifProfile } from './onvif-profiles.ts'
import { findServices } from './onvif-services.ts'
import { text } from './shapes.ts'

/** What a camera says about itself; its texts can't be trusted. */
export interface OnvifCamera {
  readonly manufacturer: string
  readonly model: string
  readonly firmwareVersion: string
  readonly serialNumber: string
  /** How far the camera's clock is ahead of ours, in milliseconds. */
  readonly clockAheadMs: number
  /** SHA-256 of the certificate that it shows over TLS. */
  readonly certificate: Buffer | undefined
  /** In the camera's order: the main stream is usually the first. */
  readonly profiles: readonly OnvifProfile[]
  /** Of its network interfaces, in lower case with colons; none if it doesn't say. */
  readonly macAddresses: readonly string[]
  /** Its video inputs: recorders have several. */
  readonly sources: readonly string[]
}

export const informationShape = z.object({ Manufacturer: text, Model: text, FirmwareVersion: text, SerialNumber: text })
const MAX_TEXT = 128

/** The same, cut to what can be stored. */
export function toInformation({
  Manufacturer,
  Model,
  FirmwareVersion,
  SerialNumber,
}: z.infer<typeof informationShape>): Omit<CameraInformation, 'ethMacAddress'> {
  const bounded = (value: string | undefined): string => (value ?? '').slice(0, MAX_TEXT)
  return {
    brand: bounded(Manufacturer),
    model: bounded(Model),
    firmwareVersion: bounded(FirmwareVersion),
    serial: bounded(SerialNumber),
  }
}

/**
 * Asks a camera through ONVIF (Profiles S and T) what it is and where its streams are: date and time, device information,
 * services, profiles, and a stream address for each. Whatever host a reply names, only the checked one is contacted.
 */
export async function askOnvif({
  onStep = () => undefined,
  ...options
}: OnvifOptions & {
  /** Hears how far it is. `responded`: the camera speaks ONVIF; `accepted`: it takes the credentials. */
  readonly onStep?: (step: 'responded' | 'accepted') => void
}): Promise<Result<OnvifCamera, CameraFault>> {
  const client = new OnvifClient(options)
  const clock = await client.readClock()
  if (!clock.ok) return clock
  onStep('responded')
  const service = { address: client.address, named: '' }
  const operation = 'GetDeviceInformation'
  const information = await client.call({ service, namespace: DEVICE, operation, shape: informationShape })
  if (!information.ok) return information
  onStep('accepted')
  const services = await findServices(client)
  if (!services.ok) return services
  if (services.value.media === undefined && services.value.media2 === undefined)
    return fail(fault('noVideo', 'the camera reports no media service'))
  const listed = await listProfiles(client, services.value)
  if (!listed.ok) return listed
  const { brand, model, firmwareVersion, serial } = toInformation(information.value.value)
  return ok({
    manufacturer: brand,
    model,
    firmwareVersion,
    serialNumber: serial,
    clockAheadMs: client.clockAheadMs,
    certificate: client.certificate,
    profiles: listed.value.profiles,
    macAddresses: await readMacAddresses(client),
    sources: listed.value.sources,
  })
}
