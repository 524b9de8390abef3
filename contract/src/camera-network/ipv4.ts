import * as z from 'zod/mini'

const OCTET = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const PATTERN = new RegExp(`^(${OCTET}\\.){3}${OCTET}$`)

export const ipv4Address = z.string().check(z.regex(PATTERN))

const BITS = 32
const OCTET_BITS = 8
const toNumber = (address: string): number =>
  address.split('.').reduce((sum, octet) => sum * 2 ** OCTET_BITS + Number(octet), 0)

/** Whether a single device can have it: not 0.0.0.0/8, multicast or reserved. */
export const isUsableIpv4 = (address: string): boolean => {
  const first = Number(address.split('.')[0])
  return PATTERN.test(address) && first > 0 && first < 224
}

interface FixedIpv4 {
  readonly address: string
  readonly prefixLength: number
  readonly gateway: string | null
}

/** Why a camera would be out of reach with this address. */
export function ipv4Fault({ address, prefixLength, gateway }: FixedIpv4): string | undefined {
  const size = 2 ** (BITS - prefixLength)
  const [own, other] = [toNumber(address), gateway === null ? undefined : toNumber(gateway)]
  const first = own - (own % size)
  if (!isUsableIpv4(address)) return 'Enter an address that a camera can have.'
  if (own === first || own === first + size - 1) return 'This address belongs to the whole network. Enter another one.'
  if (other === undefined) return undefined
  if (other === own) return 'The gateway can’t have the address of the camera.'
  if (other <= first || other >= first + size - 1) return 'The gateway isn’t in the network of the camera.'
  return undefined
}
