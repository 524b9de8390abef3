import { readFile } from 'node:fs/promises'
import { parseMacAddress } from '@sightline/contract/camera-additions'

/** A device in a network of this machine. */
export interface Neighbor {
  readonly address: string
  /** Lower case with colons. */
  readonly macAddress: string
}

const ARP_TABLE = '/proc/net/arp'
/** ATF_COM of Linux: the address was resolved. */
const RESOLVED = 0x2

/** What this machine has resolved of IPv4 addresses in its networks; empty where the operating system has no such table. */
export const readNeighbors = async (): Promise<readonly Neighbor[]> =>
  parseArpTable(await readFile(ARP_TABLE, 'utf8').catch(() => ''))

/**
 * The lines of `/proc/net/arp`. A MAC address with several IP addresses is left out: that is a router which answers for devices
 * behind it.
 */
export function parseArpTable(table: string): readonly Neighbor[] {
  const found = table.split('\n').flatMap((line) => {
    const [address = '', , flags = '', hardware = ''] = line.trim().split(/\s+/)
    const macAddress = parseMacAddress(hardware)
    const isResolved = (Number.parseInt(flags, 16) & RESOLVED) !== 0
    return macAddress === undefined || !isResolved ? [] : [{ address, macAddress }]
  })
  return found.filter(({ macAddress }) => found.filter((other) => other.macAddress === macAddress).length === 1)
}
