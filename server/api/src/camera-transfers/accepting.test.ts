import { TRANSFER_DAYS } from '@sightline/contract/camera-transfers'
import { MS_PER_DAY } from '@sightline/platform/clock'
import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTransfers, type Side } from './transfers-testing.ts'

let world: Awaited<ReturnType<typeof openTransfers>>
beforeAll(async () => {
  world = await openTransfers()
})
afterAll(() => world.api[Symbol.asyncDispose]())
beforeEach(() => world.api.owner.plain.deleteFrom('camera_networks').execute())

describe('accepting', () => {
  test('gives the camera a new id, a zone and a password sealed for its new owner, and nothing of its old account', async () => {
    const { from, to, cameraIds, macs, transferId } = await world.offered()
    const [cameraId = 0] = cameraIds
    const user = await world.api.addSubUser(from.accountId, { rights: ['LiveCamera'], cameraIds })
    await world.api.owner.plain
      .updateTable('cameras')
      .set({ microphone: true, speaker: true, latitude: 52, longitude: 4, retention_hours: 24 })
      .where('camera_id', '=', cameraId)
      .execute()
    const before = world.changes
    const accepted = await world.accept(to, transferId)
    expect(accepted.status).toBe(200)
    expect(world.changes).toBe(before + 1)
    const [newId] = accepted.body.cameraIds
    expect(newId).not.toBe(cameraId)
    const row = await world.rowOf(newId)
    expect(row).toMatchObject({
      account_id: to.accountId,
      zone_id: to.zoneId,
      name: 'Door',
      eth_mac_address: macs[0],
      username: 'viewer',
      addition_status: 'added',
      mode: 'armed',
      microphone: false,
      speaker: false,
      latitude: null,
      retention_hours: 168,
      transferred_at: null,
    })
    expect(world.encryption.open(world.contextOf(to.accountId, newId), row.password_sealed ?? Buffer.alloc(0))).toBe(
      world.PASSWORD,
    )
    expect(() =>
      world.encryption.open(world.contextOf(from.accountId, newId), row.password_sealed ?? Buffer.alloc(0)),
    ).toThrow()
    expect(await world.claimOf(macs[0] ?? '')).toEqual([to.accountId])
    expect(await world.actionsOf(from.accountId)).toEqual(['postCameraTransfer', 'cameraTransferAccepted'])
    expect(await world.actionsOf(to.accountId)).toEqual(['acceptCameraTransfer'])
    expect((await world.list(from))[0]).toMatchObject({ status: 'accepted' })
    // The old account has its footage, and anyone who could play it still can.
    const left = await world.api.call(user.token, `GET cameras/${cameraId}`)
    expect(left.body).toMatchObject({ name: 'Door', ethMacAddress: '', transferredAt: expect.any(String) })
    expect(await world.api.call(user.token, `GET cameras/${newId}`)).toMatchObject({ status: 404 })
    expect(await world.api.call(to.token, `GET cameras/${cameraId}`)).toMatchObject({ status: 404 })
    const replace = await world.api.call(from.token, `POST cameras/${cameraId}/replacement`, {
      address: '192.168.1.70',
    })
    expect(replace).toMatchObject({ status: 409, body: { code: 6 } })
    expect(await world.offer(from, cameraIds, { email: 'a@else.example' })).toMatchObject({ status: 409 })
  })

  test('happens once, however many accept at the same time', async () => {
    const { to, transferId } = await world.offered(['Door', 'Gate'])
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.accept(to, transferId)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
    const own = world.api.owner.plain.selectFrom('cameras').select('camera_id').where('account_id', '=', to.accountId)
    expect(await own.execute()).toHaveLength(2)
  })

  test('and withdrawing at the same time: one of them wins, and the camera is in one account', async () => {
    for (let i = 0; i < 5; i++) {
      const { from, to, cameraIds, transferId } = await world.offered()
      const [given, back] = await Promise.all([
        world.accept(to, transferId),
        world.api.call(from.token, `DELETE cameraTransfers/${transferId}`),
      ])
      expect([given.status === 200, back.status === 204].filter(Boolean)).toHaveLength(1)
      const isGone = (await world.rowOf(cameraIds[0] ?? 0)).transferred_at !== null
      expect(isGone).toBe(given.status === 200)
    }
  })

  test('is only for the account that it was offered to; others can’t tell that there is an offer', async () => {
    const { from, transferId } = await world.offered()
    const other = await world.side()
    const none = await world.accept(other, 999_999_999)
    expect(await world.accept(other, transferId)).toMatchObject({ status: 404, body: { code: none.body.code } })
    expect(await world.accept(from, transferId)).toMatchObject({ status: 404 })
    expect(await world.api.call(other.token, `POST cameraTransfers/${transferId}/decline`)).toMatchObject({
      status: 404,
    })
    expect(await world.api.call(from.token, `POST cameraTransfers/${transferId}/decline`)).toMatchObject({
      status: 404,
    })
  })

  test('is refused where the account has a camera at that address already', async () => {
    const { to, cameraIds, transferId } = await world.offered()
    const own = await world.cameraOf(to, 'Gate')
    const { connection_key } = await world.rowOf(cameraIds[0] ?? 0)
    const cameras = world.api.owner.plain.updateTable('cameras').set({ connection_key })
    await cameras.where('camera_id', '=', own.cameraId).execute()
    expect(await world.accept(to, transferId)).toMatchObject({ status: 409, body: { code: 5 } })
    expect(await world.rowOf(cameraIds[0] ?? 0)).toMatchObject({ transferred_at: null })
  })

  test('is refused after the offer has expired', async () => {
    const { to, from, cameraIds, transferId } = await world.offered()
    world.api.now += TRANSFER_DAYS * MS_PER_DAY
    try {
      expect((await world.list(to))[0]).toMatchObject({ status: 'expired' })
      expect(await world.accept(to, transferId)).toMatchObject({ status: 409, body: { code: 6 } })
      expect(await world.rowOf(cameraIds[0] ?? 0)).toMatchObject({ transferred_at: null })
      expect(await world.offer(from, cameraIds, { email: to.email })).toMatchObject({ status: 202 })
    } finally {
      world.api.now -= TRANSFER_DAYS * MS_PER_DAY
    }
  })

  test('takes slots of the receiver and frees those of the sender; without enough slots nothing changes', async () => {
    const { from, to, cameraIds, transferId } = await world.offered(['Door', 'Gate'])
    const limit = (account: Side, max: number) =>
      world.api.owner.plain
        .updateTable('accounts')
        .set({ max_cameras: max })
        .where('account_id', '=', account.accountId)
        .execute()
    await limit(to, 1)
    expect(await world.accept(to, transferId)).toMatchObject({ status: 409, body: { code: 7 } })
    expect(await world.rowOf(cameraIds[0] ?? 0)).toMatchObject({ transferred_at: null })
    expect(await world.actionsOf(from.accountId)).toEqual(['postCameraTransfer'])
    await limit(to, 2)
    expect(await world.accept(to, transferId)).toMatchObject({ status: 200 })
    await limit(from, 1)
    const row = {
      account_id: from.accountId,
      zone_id: from.zoneId,
      name: 'New',
      address: '',
      rtsp_port: 0,
      main_path: '',
    }
    const add = (camera_id: number) =>
      world.api.owner.plain
        .insertInto('cameras')
        .values({ ...row, camera_id, eth_mac_address: '' })
        .execute()
    await add(70_000_001)
    await expect(add(70_000_002)).rejects.toThrow(/may hold 1 cameras/)
  })

  test('is refused into a zone of another account', async () => {
    const { from, to, transferId } = await world.offered()
    expect(await world.accept(to, transferId, from.zoneId)).toMatchObject({ status: 404 })
    expect(await world.accept(to, transferId)).toMatchObject({ status: 200 })
  })

  test('is refused if the receiver doesn’t have the camera’s network, once networks are assigned', async () => {
    const { from, to, transferId } = await world.offered()
    const assign = (account_id: number, network: string) =>
      world.api.owner.plain.insertInto('camera_networks').values({ account_id, network }).execute()
    await assign(from.accountId, '192.168.7.0/24')
    await assign(to.accountId, '10.0.0.0/8')
    expect(await world.accept(to, transferId)).toMatchObject({ status: 409, body: { code: 6 } })
    await assign(to.accountId, '192.168.0.0/16')
    expect(await world.accept(to, transferId)).toMatchObject({ status: 200 })
  })

  test('is refused while a job of the camera runs, and for a camera that was removed', async () => {
    const { from, to, cameraIds, transferId } = await world.offered()
    const [camera_id = 0] = cameraIds
    const job = { account_id: from.accountId, camera_id, job_id: 880_001, type: 'reboot' as const }
    await world.api.owner.plain
      .insertInto('device_jobs')
      .values({ ...job, state: 'running', created_at: instant(world.api.now) })
      .execute()
    expect(await world.accept(to, transferId)).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/job/) },
    })
    await world.api.owner.plain.deleteFrom('cameras').where('camera_id', '=', camera_id).execute()
    expect(await world.accept(to, transferId)).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/removed/) },
    })
  })

  test('takes the undo of a replacement away: no connection comes back to the old account', async () => {
    const { from, to, cameraIds, transferId } = await world.offered()
    const [camera_id = 0] = cameraIds
    const former = { account_id: from.accountId, camera_id, connection: '{"address":"192.168.1.9"}' }
    const times = { replaced_at: instant(world.api.now), undo_until: instant(world.api.now + MS_PER_DAY) }
    await world.api.owner.plain
      .insertInto('former_cameras')
      .values({ ...former, ...times })
      .execute()
    expect(await world.accept(to, transferId)).toMatchObject({ status: 200 })
    expect(await world.api.call(from.token, `DELETE cameras/${camera_id}/replacement`)).toMatchObject({ status: 404 })
  })

  test('can be done with the former account’s own password change in between', async () => {
    const { from, to, cameraIds, transferId } = await world.offered()
    const [cameraId = 0] = cameraIds
    const sealed = world.encryption.seal(world.contextOf(from.accountId, cameraId), 'another secret')
    await world.api.owner.plain
      .updateTable('cameras')
      .set({ password_sealed: sealed })
      .where('camera_id', '=', cameraId)
      .execute()
    const { body } = await world.accept(to, transferId)
    const row = await world.rowOf(body.cameraIds[0])
    expect(
      world.encryption.open(world.contextOf(to.accountId, row.camera_id), row.password_sealed ?? Buffer.alloc(0)),
    ).toBe('another secret')
  })
})
