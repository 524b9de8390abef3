import type { Tx } from '@sightline/platform/db'

interface OfCamera {
  readonly accountId: number
  readonly cameraId: number
}

/** What users call the inputs and outputs of a camera, by their ids. */
export async function loadPortNames(tx: Tx, { accountId, cameraId }: OfCamera): Promise<ReadonlyMap<string, string>> {
  const rows = await tx
    .selectFrom('camera_ports')
    .select(['port_id', 'name'])
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .execute()
  return new Map(rows.map(({ port_id, name }) => [port_id, name]))
}

/** @param port with the name null, it has none any more */
export async function savePortName(
  tx: Tx,
  port: OfCamera & { readonly portId: string; readonly name: string | null },
): Promise<void> {
  const key = { account_id: port.accountId, camera_id: port.cameraId, port_id: port.portId }
  if (port.name === null) {
    const named = tx.deleteFrom('camera_ports').where('account_id', '=', port.accountId)
    await named.where('camera_id', '=', port.cameraId).where('port_id', '=', port.portId).execute()
    return
  }
  const { name } = port
  await tx
    .insertInto('camera_ports')
    .values({ ...key, name })
    .onConflict((conflict) => conflict.columns(['account_id', 'camera_id', 'port_id']).doUpdateSet({ name }))
    .execute()
}
