import { MAX_TRANSFERS_A_DAY } from '@sightline/contract/camera-transfers'
import { listJobs } from '@sightline/platform/jobs/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTransfers } from './transfers-testing.ts'

let world: Awaited<ReturnType<typeof openTransfers>>
beforeAll(async () => {
  world = await openTransfers()
})
afterAll(() => world.api[Symbol.asyncDispose]())

describe('moving to another zone', () => {
  test('needs no acceptance; each camera keeps its id', async () => {
    const from = await world.side()
    const [one, two] = [await world.cameraOf(from), await world.cameraOf(from)]
    const yard = from.zoneId + 1_000_000
    const zone = { account_id: from.accountId, zone_id: yard, name: 'Yard' }
    await world.api.owner.plain.insertInto('zones').values(zone).execute()
    const moved = await world.offer(from, [one.cameraId, two.cameraId], { zoneId: yard })
    expect(moved).toMatchObject({ status: 202, body: { status: 'moved', cameraTransferId: null, zoneId: yard } })
    expect(await world.rowOf(one.cameraId)).toMatchObject({ zone_id: yard, account_id: from.accountId })
    expect(await world.rowOf(two.cameraId)).toMatchObject({ zone_id: yard })
    expect(await world.list(from)).toEqual([])
  })

  test('is all or nothing: with a camera of another account nothing moves', async () => {
    const from = await world.side()
    const other = await world.side()
    const own = await world.cameraOf(from)
    const foreign = await world.cameraOf(other)
    const yard = from.zoneId + 1_000_000
    await world.api.owner.plain
      .insertInto('zones')
      .values({ account_id: from.accountId, zone_id: yard, name: 'Yard' })
      .execute()
    expect(await world.offer(from, [own.cameraId, foreign.cameraId], { zoneId: yard })).toMatchObject({ status: 404 })
    expect(await world.rowOf(own.cameraId)).toMatchObject({ zone_id: from.zoneId })
    expect(await world.offer(from, [own.cameraId], { zoneId: other.zoneId })).toMatchObject({ status: 404 })
  })
})

describe('an offer', () => {
  test('needs at least one camera and exactly one receiver', async () => {
    const from = await world.side()
    const { cameraId } = await world.cameraOf(from)
    expect(await world.offer(from, [], { email: 'someone@else.example' })).toMatchObject({
      status: 400,
      body: { code: 3 },
    })
    expect(await world.offer(from, [cameraId], {})).toMatchObject({ status: 400 })
    const both = { email: 'someone@else.example', targetAccountId: 5 }
    expect(await world.offer(from, [cameraId], both)).toMatchObject({ status: 400 })
    expect(await world.offer(from, [cameraId], { email: from.email.toUpperCase() })).toMatchObject({ status: 409 })
    expect(await world.offer(from, [cameraId], { targetAccountId: from.accountId })).toMatchObject({ status: 409 })
  })

  test('is made by the owner only, not by a user with every right', async () => {
    const { from, cameraIds } = await world.offered()
    const user = await world.api.addSubUser(from.accountId, {
      rights: ['editCamera', 'deleteCamera'],
      allCameras: true,
    })
    const body = { cameraIds, email: 'someone@else.example' }
    expect(await world.api.call(user.token, 'POST cameras/transfer', body)).toMatchObject({ status: 403 })
    expect(await world.api.call(user.token, 'GET cameraTransfers')).toMatchObject({ status: 403 })
    const support = await world.api.addToken({ accountId: from.accountId, userId: from.accountId }, 'support')
    expect(await world.api.call(support, 'POST cameras/transfer', body)).toMatchObject({ status: 403 })
  })

  test('to an address that nobody has looks the same as one that somebody has, and writes a job of the same kind', async () => {
    const from = await world.side()
    const to = await world.side()
    const [one, two, three] = [await world.cameraOf(from), await world.cameraOf(from), await world.cameraOf(from)]
    const known = await world.offer(from, [one.cameraId], { email: to.email })
    const unknown = await world.offer(from, [two.cameraId], { email: 'nobody@else.example' })
    const unknownId = await world.offer(from, [three.cameraId], { targetAccountId: 999_999_999 })
    const shape = ({ body }: typeof known) => ({
      ...body,
      cameraTransferId: 0,
      cameras: [],
      email: null,
      targetAccountId: null,
      createdAt: '',
      expiresAt: '',
    })
    expect([known.status, unknown.status, unknownId.status]).toEqual([202, 202, 202])
    expect(shape(unknown)).toEqual(shape(known))
    expect(shape(unknownId)).toEqual(shape(known))
    const jobs = await listJobs(world.api.owner, 'writeTransferMail')
    const own = jobs.filter(({ payload }) => (payload as { accountId: number }).accountId === from.accountId)
    expect(own).toHaveLength(3)
    expect((await world.list(from)).map(({ status }: { status: string }) => status)).toEqual([
      'offered',
      'offered',
      'offered',
    ])
  })

  test('is listed by both accounts, and by no other', async () => {
    const { from, to, cameraIds } = await world.offered()
    const [made] = await world.list(from)
    expect(made).toMatchObject({ direction: 'outgoing', status: 'offered', email: to.email })
    expect(made.cameras).toEqual([{ cameraId: cameraIds[0], name: 'Door', brand: 'Acme', model: null }])
    expect(await world.list(to)).toEqual([{ ...made, direction: 'incoming' }])
    expect(await world.list(await world.side())).toEqual([])
  })

  test('names each camera in one open offer only; a withdrawn one is free again', async () => {
    const { from, to, cameraIds, transferId } = await world.offered()
    const again = () => world.offer(from, cameraIds, { email: 'someone@else.example' })
    expect(await again()).toMatchObject({ status: 409, body: { code: 6 } })
    expect(await world.api.call(to.token, `DELETE cameraTransfers/${transferId}`)).toMatchObject({ status: 404 })
    expect(await world.api.call(from.token, `DELETE cameraTransfers/${transferId}`)).toMatchObject({ status: 204 })
    expect(await world.api.call(from.token, `DELETE cameraTransfers/${transferId}`)).toMatchObject({ status: 409 })
    expect(await world.accept(to, transferId)).toMatchObject({ status: 409 })
    expect(await again()).toMatchObject({ status: 202 })
  })

  test('is not made for recorder inputs, body-worn cameras, cameras that are being added, or part of an encoder', async () => {
    const from = await world.side()
    const one = await world.cameraOf(from)
    const set = async (values: object) =>
      world.api.owner.plain.updateTable('cameras').set(values).where('camera_id', '=', one.cameraId).execute()
    const refused = async () => (await world.offer(from, [one.cameraId], { email: 'someone@else.example' })).body.detail
    await set({ device_type_id: 1000 })
    expect(await refused()).toMatch(/body-worn/)
    await set({ device_type_id: 1, addition_status: 'inProgress' })
    expect(await refused()).toMatch(/hasn’t been added/)
    await set({ addition_status: 'added' })
    const other = await world.cameraOf(from, 'Second input')
    await world.api.owner.plain
      .updateTable('cameras')
      .set({ eth_mac_address: one.mac, input: 2 })
      .where('camera_id', '=', other.cameraId)
      .execute()
    expect(await refused()).toMatch(/all of them together/)
    expect(await world.offer(from, [one.cameraId, other.cameraId], { email: 'a@else.example' })).toMatchObject({
      status: 202,
    })
  })

  test('is made at most so often a day, also at the same time', async () => {
    const from = await world.side()
    const all = []
    for (let i = 0; i < MAX_TRANSFERS_A_DAY + 5; i++) all.push(await world.cameraOf(from))
    const answers = await Promise.all(
      all.map(({ cameraId }, i) => world.offer(from, [cameraId], { email: `nobody-${i}@else.example` })),
    )
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(MAX_TRANSFERS_A_DAY)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
  })
})

test('declining leaves the camera as it was, and both logs say so', async () => {
  const { from, to, cameraIds, transferId } = await world.offered()
  const before = await world.rowOf(cameraIds[0] ?? 0)
  expect(await world.api.call(to.token, `POST cameraTransfers/${transferId}/decline`)).toMatchObject({ status: 204 })
  expect(await world.api.call(to.token, `POST cameraTransfers/${transferId}/decline`)).toMatchObject({ status: 409 })
  expect(await world.accept(to, transferId)).toMatchObject({ status: 409 })
  expect(await world.rowOf(cameraIds[0] ?? 0)).toEqual(before)
  expect((await world.list(from))[0]).toMatchObject({ status: 'declined' })
  expect(await world.actionsOf(from.accountId)).toEqual(['postCameraTransfer', 'cameraTransferDeclined'])
  expect(await world.actionsOf(to.accountId)).toEqual(['declineCameraTransfer'])
})
