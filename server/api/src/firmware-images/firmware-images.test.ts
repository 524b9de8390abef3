import { createHash } from 'node:crypto'
import { FIRMWARE_PART_BYTES, MAX_FIRMWARE_BYTES } from '@sightline/contract/firmware'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { firmwareImages } from './index.ts'

let api: TestApi
let dealer = ''
beforeAll(async () => {
  api = await testApi({ slices: [firmwareImages] })
  dealer = (await api.addStaff()).token
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => api.owner.plain.deleteFrom('firmware_images').execute())

const PATH = 'resellers/self/firmwareImages'
const bytes = Buffer.alloc(FIRMWARE_PART_BYTES + 10, 7)
const image = { brand: 'Acme', model: 'Dome 4', version: '1.2', sizeBytes: bytes.length }
const part = (at: number) => ({
  data: bytes.subarray(at * FIRMWARE_PART_BYTES, (at + 1) * FIRMWARE_PART_BYTES).toString('base64'),
})

test('is uploaded in parts, in any order, and offered with our checksum once all have arrived', async () => {
  const signature = Buffer.from('made by Acme').toString('base64')
  const begun = await api.call(dealer, `POST ${PATH}`, { ...image, signature })
  expect(begun).toMatchObject({ status: 201, body: { receivedBytes: 0, sha256: null, signed: true } })
  const path = `${PATH}/${begun.body.imageId}`
  const second = await api.call(dealer, `PUT ${path}/parts/1`, part(1))
  expect(second.status).toBe(204)
  expect((await api.call(dealer, `GET ${path}`)).body).toMatchObject({ receivedBytes: 10, sha256: null })
  // A part that is sent again replaces itself.
  await api.call(dealer, `PUT ${path}/parts/1`, part(1))
  expect((await api.call(dealer, `PUT ${path}/parts/0`, part(0))).status).toBe(204)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const done = await api.call(dealer, `GET ${path}`)
  expect(done).toMatchObject({ status: 200, body: { receivedBytes: bytes.length, sha256 } })
  expect((await api.call(dealer, `GET ${PATH}`)).body).toEqual([done.body])
  const row = await api.owner.plain.selectFrom('firmware_images').selectAll().executeTakeFirstOrThrow()
  expect(row.signature?.toString()).toBe('made by Acme')
  expect(await api.call(dealer, `PUT ${path}/parts/0`, part(0))).toMatchObject({ status: 409, body: { code: 6 } })
  const log = await api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', 255).execute()
  expect(log.map(({ action }) => action)).toEqual(['addFirmwareImage', 'putFirmwarePart'])
  expect(log.at(-1)).toMatchObject({ after: { version: '1.2', sha256 } })
})

test('the same version of a model twice is code 5; it can be removed', async () => {
  const { body } = await api.call(dealer, `POST ${PATH}`, image)
  const again = await api.call(dealer, `POST ${PATH}`, { ...image, brand: 'ACME' })
  expect(again).toMatchObject({ status: 409, body: { code: 5 } })
  expect((await api.call(dealer, `DELETE ${PATH}/${body.imageId}`)).status).toBe(204)
  for (const call of ['GET', 'DELETE'])
    expect((await api.call(dealer, `${call} ${PATH}/${body.imageId}`)).status).toBe(404)
  expect((await api.call(dealer, `PUT ${PATH}/${body.imageId}/parts/0`, part(0))).status).toBe(404)
  expect((await api.call(dealer, `POST ${PATH}`, image)).status).toBe(201)
})

test.each([
  [{ ...image, brand: ' ' }, 'body.brand'],
  [{ ...image, sizeBytes: 300_000_000 }, 'body.sizeBytes'],
  [{ ...image, signature: 'not base64!' }, 'body.signature'],
  [{ ...image, signature: Buffer.alloc(65_537).toString('base64') }, 'signature'],
])('what is wrong is named: %#', async (body, field) => {
  const reply = await api.call(dealer, `POST ${PATH}`, body)
  expect(reply).toMatchObject({ status: 400, body: { code: 3 } })
  expect(JSON.stringify(reply.body.fields)).toContain(field.replace('body.', ''))
})

test('a part of another size than it has to have is refused', async () => {
  const { body } = await api.call(dealer, `POST ${PATH}`, image)
  const path = `${PATH}/${body.imageId}/parts`
  expect((await api.call(dealer, `PUT ${path}/0`, part(1))).body).toMatchObject({ code: 3 })
  expect((await api.call(dealer, `PUT ${path}/2`, part(1))).body).toMatchObject({ code: 3 })
})

test('all images of a dealer together have at most 4 GiB (code 6), and the answer says how much is left', async () => {
  const rows = Array.from({ length: 15 }, (_, at) => ({
    image_id: 20_000 + at,
    reseller_id: 255,
    brand: 'Acme',
    model: 'Dome 4',
    version: `0.${at}`,
    size_bytes: MAX_FIRMWARE_BYTES,
  }))
  await api.owner.plain.insertInto('firmware_images').values(rows).execute()
  const add = (version: string, sizeBytes: number) => api.call(dealer, `POST ${PATH}`, { ...image, version, sizeBytes })
  expect((await add('1.1', MAX_FIRMWARE_BYTES - 1024)).status).toBe(201)
  const refused = await add('1.2', 1025)
  expect(refused).toMatchObject({ status: 409, body: { code: 6 } })
  expect(refused.body.detail).toContain('0 MiB are left')
  expect((await add('1.3', 1024)).status).toBe(201)
})

test('a hundred versions are kept at most (code 6)', async () => {
  const rows = Array.from({ length: 100 }, (_, at) => ({
    image_id: 10_000 + at,
    reseller_id: 255,
    brand: 'Acme',
    model: 'Dome 4',
    version: `0.${at}`,
    size_bytes: 3,
  }))
  await api.owner.plain.insertInto('firmware_images').values(rows).execute()
  expect(await api.call(dealer, `POST ${PATH}`, image)).toMatchObject({ status: 409, body: { code: 6 } })
})

test('needs the permission to manage subscriptions; without it the list can be read', async () => {
  const reader = await api.addStaff({ permissions: ['viewAccounts'] })
  expect((await api.call(reader.token, `GET ${PATH}`)).status).toBe(200)
  expect((await api.call(reader.token, `POST ${PATH}`, image)).status).toBe(403)
})
