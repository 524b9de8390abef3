import { randomBytes } from 'node:crypto'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { cameraReplacements } from '../camera-replacements/index.ts'
import { cameras } from '../cameras/index.ts'
import { testApi } from '../slice-testing.ts'
import { cameraTransfers } from './index.ts'

const PASSWORD = 'camera secret'
let devices = 0

export interface Side {
  readonly accountId: number
  readonly token: string
  readonly zoneId: number
  readonly email: string
}

const contextOf = (accountId: number, cameraId: number) => ({
  accountId,
  table: 'cameras',
  row: cameraId,
  column: 'password_sealed',
})

/** Accounts that transfer cameras to each other. For tests. */
export async function openTransfers() {
  const encryption = envelopeEncryption(randomBytes(32))
  let changes = 0
  const api = await testApi({
    slices: [(deps) => cameraTransfers({ ...deps, encryption }), cameras, cameraReplacements],
    media: { camerasChanged: () => void changes++ },
  })

  async function side(): Promise<Side> {
    const account = await api.addAccount()
    return { ...account, email: `owner-${account.accountId}@demo.example` }
  }

  /** A camera that is recorded, with a password and a MAC address. */
  async function cameraOf({ accountId, zoneId }: Side, name = 'Door') {
    const cameraId = await api.addCamera(accountId, zoneId, name)
    devices += 1
    const mac = `02:00:00:00:01:${(devices % 256).toString(16).padStart(2, '0')}`
    const values = {
      address: `192.168.7.${devices % 256}`,
      eth_mac_address: mac,
      connection_key: `["192.168.7.${devices}"]`,
      brand: 'Acme',
      username: 'viewer',
      password_sealed: encryption.seal(contextOf(accountId, cameraId), PASSWORD),
      addition_step: 'recording' as const,
    }
    await api.owner.plain.updateTable('cameras').set(values).where('camera_id', '=', cameraId).execute()
    return { cameraId, mac }
  }

  const offer = (from: Side, cameraIds: readonly number[], to: object) =>
    api.call(from.token, 'POST cameras/transfer', { cameraIds, ...to })

  return {
    api,
    encryption,
    contextOf,
    PASSWORD,
    get changes() {
      return changes
    },
    side,
    cameraOf,
    offer,
    rowOf: (cameraId: number) =>
      api.owner.plain.selectFrom('cameras').selectAll().where('camera_id', '=', cameraId).executeTakeFirstOrThrow(),
    async actionsOf(accountId: number) {
      const log = api.owner.plain.selectFrom('audit_log').select('action').where('account_id', '=', accountId)
      return (await log.orderBy('at').execute()).map(({ action }) => action)
    },
    async claimOf(mac: string) {
      const claims = api.owner.plain.selectFrom('mac_claims').select('account_id').where('mac_address', '=', mac)
      return (await claims.execute()).map((row) => row.account_id)
    },
    list: async (of: Side) => (await api.call(of.token, 'GET cameraTransfers')).body,
    accept: (by: Side, transferId: number, zoneId = by.zoneId) =>
      api.call(by.token, `POST cameraTransfers/${transferId}/accept`, { zoneId }),
    /** An offer of cameras with these names. */
    async offered(names: readonly string[] = ['Door']) {
      const from = await side()
      const to = await side()
      const made = []
      for (const name of names) made.push(await cameraOf(from, name))
      const cameraIds = made.map(({ cameraId }) => cameraId)
      const { body } = await offer(from, cameraIds, { email: to.email })
      return { from, to, cameraIds, macs: made.map(({ mac }) => mac), transferId: body.cameraTransferId as number }
    },
  }
}
