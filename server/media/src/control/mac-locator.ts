import type { DiscoveredCamera } from '@sightline/contract/media-plane'
import { MAX_SWEEP_ADDRESSES } from '@sightline/contract/media-plane'
import { discoverCameras, listAddresses, type Neighbor, readNeighbors } from '../source/index.ts'
import { ownAddresses } from './camera-discoveries.ts'
import { type CameraNetworks, searchRule } from './camera-networks.ts'

/** Where a device with a MAC address seems to be. What it says itself decides. */
export interface LocatedDevice {
  readonly address: string
  /** Null: the usual ones. */
  readonly port: number | null
}

/** Finds devices by MAC address, in the networks of the account that asks only. */
export interface MacLocator {
  /** Undefined if nothing there has that MAC address now. */
  locate(accountId: number, macAddress: string, signal: AbortSignal): Promise<LocatedDevice | undefined>
  /**
   * The addresses where devices name one of these MAC addresses now, by MAC address; those that the network itself knows first. Any
   * device can name any MAC address, so there may be several.
   */
  locateAll(accountId: number, macAddresses: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly string[]>>
  /** The MAC address of a device in a network of this machine; undefined for others. */
  macAddressAt(address: string): Promise<string | undefined>
}

/**
 * The MAC address of a device that was reached: the one it was looked for with, if it has that; undefined for another device.
 * Otherwise that of the interface in use, or the first it names. Empty if nothing is known.
 */
export function chooseMacAddress({
  named,
  reported,
  resolved,
}: {
  /** What it was looked for with; null for a device that was added by its address. */
  readonly named: string | null
  /** What the device says. */
  readonly reported: readonly string[]
  /** What this machine's network says. */
  readonly resolved: string | undefined
}): string | undefined {
  if (named === null) return reported.find((one) => one === resolved) ?? reported[0] ?? resolved ?? ''
  const isIt = reported.includes(named) || resolved === named || (reported.length === 0 && resolved === undefined)
  return isIt ? named : undefined
}

interface LocatorDeps {
  readonly networks: Pick<CameraNetworks, 'refresh' | 'networksOf'>
  /** The addresses of this machine. */
  readonly interfaces?: () => readonly string[]
  readonly neighbors?: () => Promise<readonly Neighbor[]>
}

export function macLocator({
  networks,
  interfaces = ownAddresses,
  neighbors = readNeighbors,
}: LocatorDeps): MacLocator {
  const searches = new Map<number, Promise<readonly DiscoveredCamera[]>>()
  const search = (accountId: number, mayUse: (address: string) => boolean): Promise<readonly DiscoveredCamera[]> => {
    const running = searches.get(accountId)
    if (running !== undefined) return running
    const own = interfaces().filter(mayUse)
    const begun = searchOnce(own, { mayUse, networks: networks.networksOf(accountId) }).finally(() =>
      searches.delete(accountId),
    )
    searches.set(accountId, begun)
    return begun
  }
  return {
    async locate(accountId, macAddress, signal) {
      // The operator may just have assigned a network, or taken one away.
      await networks.refresh()
      const mayUse = searchRule(networks.networksOf(accountId))
      const resolved = async () => {
        const near = (await neighbors()).find((each) => each.macAddress === macAddress && mayUse(each.address))
        return near === undefined ? undefined : { address: near.address, port: null }
      }
      const known = await resolved()
      if (known !== undefined || signal.aborted) return known
      const found = await search(accountId, mayUse)
      const named = found.find(({ ethMacAddress }) => ethMacAddress === macAddress)
      if (named !== undefined) return { address: named.address, port: named.port }
      // Whatever a datagram was sent to has been resolved by now.
      return await resolved()
    },
    async locateAll(accountId, macAddresses) {
      await networks.refresh()
      const mayUse = searchRule(networks.networksOf(accountId))
      const named = await search(accountId, mayUse)
      const resolved = (await neighbors()).filter(({ address }) => mayUse(address))
      const announced = named.map(({ address, ethMacAddress }) => ({ address, macAddress: ethMacAddress }))
      const wanted = [...resolved, ...announced].filter(({ macAddress }) => macAddresses.has(macAddress))
      const found = Map.groupBy(wanted, ({ macAddress }) => macAddress)
      const addressesOf = (places: readonly Neighbor[]) =>
        [...new Set(places.map(({ address }) => address))].slice(0, MAX_PLACES)
      return new Map([...found].map(([macAddress, places]) => [macAddress, addressesOf(places)]))
    },
    async macAddressAt(address) {
      return (await neighbors()).find((each) => each.address === address)?.macAddress
    },
  }
}

/** Asks for cameras in the networks of this machine, and sends a datagram to each address of the small ones. */
async function searchOnce(
  interfaces: readonly string[],
  { networks, mayUse }: { readonly networks: readonly string[]; readonly mayUse: (address: string) => boolean },
): Promise<readonly DiscoveredCamera[]> {
  const cameras: DiscoveredCamera[] = []
  const addresses = networks
    .filter((network) => !network.startsWith('127.'))
    .flatMap((network) => listAddresses(network) ?? [])
    .slice(0, MAX_SWEEP_ADDRESSES)
  await discoverCameras({
    interfaces,
    addresses,
    mayUse,
    onFound: (camera) => cameras.push(camera),
    onProgress: () => undefined,
    signal: AbortSignal.timeout(SEARCH_MS),
  })
  return cameras
}

/** Maximum number of devices to check that claim the same MAC address. */
const MAX_PLACES = 4
/** 1024 addresses at 50 a second, and the time for late answers. */
const SEARCH_MS = 25_000
