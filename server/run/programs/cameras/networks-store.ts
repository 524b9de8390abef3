import { appendAudit } from '@sightline/platform/audit'
import { type Db, type IdSource, isDataFault } from '@sightline/platform/db'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { NetworkChange } from './options.ts'

interface AssignedNetwork {
  readonly accountId: number
  readonly network: string
}

export async function listNetworks(db: Db, accountId: number | undefined): Promise<readonly AssignedNetwork[]> {
  let networks = db.plain.selectFrom('camera_networks').select(['account_id', 'network'])
  if (accountId !== undefined) networks = networks.where('account_id', '=', accountId)
  const rows = await networks.orderBy('account_id').orderBy('network').execute()
  return rows.map((row) => ({ accountId: row.account_id, network: row.network }))
}

/** Assigns a network or withdraws one, with a line in the account's audit log; or a sentence about why not. */
export async function changeNetwork(
  db: Db,
  given: { readonly ids: IdSource; readonly accountId: number; readonly change: NetworkChange },
): Promise<Result<undefined, string>> {
  const { ids, accountId, change } = given
  const { kind, network } = change
  try {
    return await db.inTenant({ accountId, userId: accountId }, async (tx) => {
      const row = { account_id: accountId, network }
      if (kind === 'assign') {
        await tx
          .insertInto('camera_networks')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      } else {
        const removed = await tx
          .deleteFrom('camera_networks')
          .where('account_id', '=', accountId)
          .where('network', '=', network)
          .executeTakeFirst()
        if (removed.numDeletedRows === 0n) return fail(`${network} is not assigned to account ${accountId}.`)
      }
      const target = { kind: 'account', id: accountId }
      const state = kind === 'assign' ? { after: { network } } : { before: { network } }
      const entry = { action: 'cameraNetworksChanged', target, ...state }
      await appendAudit(tx, { ids, caller: { accountId, userId: null, clientId: 'operator' }, address: '', entry })
      return ok(undefined)
    })
  } catch (error) {
    // PostgreSQL refuses bits to the right of the prefix.
    if (isDataFault(error)) return fail(`${network} is not a network: its address has bits beyond the prefix.`)
    throw error
  }
}
