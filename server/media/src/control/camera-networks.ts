import type { CameraCommandName, CameraCommandQuestion, CameraNetworkChange } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import { addressRule, listedRule } from '@sightline/platform/network-address'
import { type CameraConnect, checkedConnect } from '../source/index.ts'

/** The networks that cameras of each account may be in, as the operator set and assigned them (docs/decisions/0107). */
export interface CameraNetworks {
  /** Reads the assignments again. */
  refresh(): Promise<void>
  networksOf(accountId: number): readonly string[]
  /** By account; undefined before they were read. */
  readonly assigned: AssignedNetworks | undefined
  /** Until they are read: what the process before this one knew. */
  recall(assigned: AssignedNetworks | undefined): void
  /** Connects to addresses in the account's networks and on the internet, by the assignments of that moment. */
  connectOf(accountId: number): CameraConnect
}

export type AssignedNetworks = ReadonlyMap<number, readonly string[]>

/** Only the simulators of a demonstration answer there. */
const isLoopback = (network: string): boolean => network.startsWith('127.') || network === '::1/128'

/**
 * As long as nothing is assigned, every account has all networks of the setting: most installations have one customer. Once
 * something is, each account has what was assigned to it and nothing else.
 */
export function cameraNetworks(db: Db, setting: readonly string[]): CameraNetworks {
  let assigned: AssignedNetworks | undefined
  const networksOf = (accountId: number) => {
    if (assigned === undefined || assigned.size === 0) return setting
    return [...setting.filter(isLoopback), ...(assigned.get(accountId) ?? [])]
  }
  const connects = new Map<string, CameraConnect>()
  const connectFor = (networks: readonly string[]): CameraConnect => {
    const key = networks.join()
    const connect = connects.get(key) ?? checkedConnect({ allowed: networks })
    connects.set(key, connect)
    return connect
  }
  return {
    networksOf,
    get assigned() {
      return assigned
    },
    recall(known) {
      assigned = known
      connects.clear()
    },
    connectOf: (accountId) => (target) => connectFor(networksOf(accountId))(target),
    async refresh() {
      assigned = await loadAssignments(db)
      connects.clear()
    },
  }
}

async function loadAssignments(db: Db): Promise<AssignedNetworks> {
  const rows = await db.plain
    .selectFrom('camera_networks')
    .select(['account_id', 'network'])
    .orderBy('network')
    .execute()
  const networks = new Map<number, readonly string[]>()
  for (const { account_id: accountId, network } of rows)
    networks.set(accountId, [...(networks.get(accountId) ?? []), network])
  return networks
}

/** The rule whether an address is in one of the networks; nothing else may be searched. */
export const searchRule = (networks: readonly string[]): ((address: string) => boolean) =>
  networks.length === 0 ? () => false : listedRule({ allowed: networks })

/** Whether a command would take a camera to an address at which it may not be reached. */
export function leavesNetworks(
  { name, input }: CameraCommandQuestion<CameraCommandName>,
  networks: readonly string[],
): boolean {
  if (name !== 'changeNetwork') return false
  const { ipv4 } = input as CameraNetworkChange
  return ipv4?.dhcp === false && !addressRule({ allowed: networks })(ipv4.address)
}
