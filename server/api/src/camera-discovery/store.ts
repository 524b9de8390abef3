import type { Tx } from '@sightline/platform/db'
import type { CameraConnection } from './rules.ts'

/** How the cameras of the account are connected, those included that couldn't be added yet. */
export async function listConnections(tx: Tx, accountId: number): Promise<readonly CameraConnection[]> {
  const rows = await tx
    .selectFrom('cameras')
    .select(['address', 'onvif_port', 'named_port', 'eth_mac_address', 'machines'])
    .where('account_id', '=', accountId)
    .where('addition_status', '<>', 'failure')
    .execute()
  return rows.map((row) => ({
    address: row.address,
    ports: [row.onvif_port, row.named_port].filter((port) => port !== null),
    ethMacAddress: row.eth_mac_address,
    machines: row.machines,
  }))
}
