import { parseMacAddress } from '@sightline/contract/camera-additions'
import * as z from 'zod/mini'
import { DEVICE, type OnvifClient } from './onvif-client.ts'
import { list, optionalElement, text } from './shapes.ts'

const interfacesShape = z.object({
  NetworkInterfaces: list(z.object({ Info: optionalElement(z.object({ HwAddress: text })) }), 16),
})

/** The MAC addresses of a device, in lower case with colons; none if it doesn't say. */
export async function readMacAddresses(client: Pick<OnvifClient, 'address' | 'call'>): Promise<readonly string[]> {
  const service = { address: client.address, named: '' }
  const operation = 'GetNetworkInterfaces'
  const reply = await client.call({ service, namespace: DEVICE, operation, shape: interfacesShape })
  if (!reply.ok) return []
  return reply.value.value.NetworkInterfaces.flatMap(({ Info }) => parseMacAddress(Info?.HwAddress ?? '') ?? [])
}
