import { brandSource, createBrandLookup } from '@sightline/platform/brands'
import { MS_PER_DAY, MS_PER_HOUR } from '@sightline/platform/clock'
import { idSource, instant } from '@sightline/platform/db'
import { mailOutbox } from '@sightline/platform/mail'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transferTasks } from './index.ts'
import { openTransfers } from './transfers-testing.ts'

let world: Awaited<ReturnType<typeof openTransfers>>
beforeAll(async () => {
  world = await openTransfers()
})
afterAll(() => world.api[Symbol.asyncDispose]())

describe('the hand-over', () => {
  const end = () => sql`select end_camera_handovers()`.execute(world.api.owner.plain)

  test('keeps the old account’s connection until the camera is recorded in the new one, then forgets it', async () => {
    const { to, cameraIds, transferId } = await world.offered()
    const [cameraId = 0] = cameraIds
    const { body } = await world.accept(to, transferId)
    await end()
    expect(await world.rowOf(cameraId)).toMatchObject({ rtsp_port: 554, username: 'viewer' })
    const status = { account_id: to.accountId, camera_id: body.cameraIds[0], online: true, recording: true }
    await world.api.owner.plain.insertInto('camera_status').values(status).execute()
    await end()
    const left = { rtsp_port: 0, address: '', username: null, password_sealed: null }
    expect(await world.rowOf(cameraId)).toMatchObject(left)
  })

  test('shows the old account’s camera as offline from the start: nobody there can watch or command it', async () => {
    const { from, to, cameraIds, transferId } = await world.offered()
    const [cameraId = 0] = cameraIds
    const status = { account_id: from.accountId, camera_id: cameraId, online: true, recording: true }
    await world.api.owner.plain.insertInto('camera_status').values(status).execute()
    const online = async () => (await world.api.call(from.token, `GET cameras/${cameraId}/status`)).body.online
    expect(await online()).toBe(true)
    await world.accept(to, transferId)
    expect(await online()).toBe(false)
  })

  test('ends after 20 seconds in any case, and at once if the camera is private in the new account', async () => {
    const first = await world.offered()
    await world.accept(first.to, first.transferId)
    const late = sql<number>`now() - interval '21 seconds'`
    const [firstId = 0] = first.cameraIds
    await world.api.owner.plain
      .updateTable('cameras')
      .set({ transferred_at: late })
      .where('camera_id', '=', firstId)
      .execute()
    const second = await world.offered()
    const { body } = await world.accept(second.to, second.transferId)
    const [newId] = body.cameraIds
    await world.api.owner.plain.updateTable('cameras').set({ mode: 'private' }).where('camera_id', '=', newId).execute()
    await end()
    expect(await world.rowOf(firstId)).toMatchObject({ rtsp_port: 0, password_sealed: null })
    expect(await world.rowOf(second.cameraIds[0] ?? 0)).toMatchObject({ rtsp_port: 0, password_sealed: null })
    expect(await world.rowOf(newId)).toMatchObject({ rtsp_port: 554 })
  })
})

describe('in the background', () => {
  const clock = { now: () => world.api.now }
  const written: { to: string; kind: string; accountId: number }[] = []
  const tasks = () =>
    transferTasks({
      db: world.api.app,
      ids: idSource(world.api.app),
      brands: brandSource(createBrandLookup(world.api.app), {
        scheme: 'https',
        ownHosts: () => ['video.example'],
        clock,
      }),
      outbox: {
        async add(tx, mail) {
          written.push(mail)
          await mailOutbox(world.encryption, clock).add(tx, mail)
        },
      },
      clock,
    })
  const job = { jobId: '1', attempt: 1, signal: new AbortController().signal }
  const run = (accountId: number, cameraTransferId: number) =>
    tasks().writeTransferMail?.run({ accountId, cameraTransferId }, job)

  test('the receiver is told of an offer, the sender of the answer, and nobody of an offer to nobody', async () => {
    const { from, to, transferId } = await world.offered()
    written.length = 0
    await run(from.accountId, transferId)
    await world.accept(to, transferId)
    await run(from.accountId, transferId)
    expect(written).toMatchObject([
      { to: to.email, kind: 'cameraTransferOffered', accountId: to.accountId },
      { to: from.email, kind: 'cameraTransferAccepted', accountId: from.accountId },
    ])
    const { cameraId } = await world.cameraOf(from)
    const { body } = await world.offer(from, [cameraId], { email: 'nobody@else.example' })
    await run(from.accountId, body.cameraTransferId)
    expect(written).toHaveLength(2)
  })

  test('what is left of a camera goes after its footage, and not before', async () => {
    const { from, to, cameraIds, transferId } = await world.offered()
    const [camera_id = 0] = cameraIds
    await world.accept(to, transferId)
    const later = world.api.now + 8 * MS_PER_DAY
    const footage = { account_id: from.accountId, camera_id, stream: 'main' as const, run_id: 'r' }
    await world.api.owner.plain
      .insertInto('recording_runs')
      .values({ ...footage, started_at: instant(world.api.now - MS_PER_HOUR), ended_at: instant(world.api.now) })
      .execute()
    const drop = () => sql`select drop_transferred_cameras(${instant(later)})`.execute(world.api.owner.plain)
    await drop()
    await world.rowOf(camera_id)
    await world.api.owner.plain.deleteFrom('recording_runs').where('camera_id', '=', camera_id).execute()
    await tasks().dropTransferredCameras?.run({}, job)
    await world.rowOf(camera_id)
    await drop()
    const left = world.api.owner.plain.selectFrom('cameras').select('camera_id').where('camera_id', '=', camera_id)
    expect(await left.execute()).toEqual([])
  })
})
