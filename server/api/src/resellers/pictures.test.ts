import { idSource } from '@sightline/platform/db'
import { engines, type TestDatabase } from '@sightline/platform/db-testing'
import { runJobs } from '@sightline/platform/jobs/testing'
import { silentLogger } from '@sightline/platform/log'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import {
  file,
  internetOnly,
  type PictureHost,
  startPictureHost,
  thisMachine,
} from './brand-pictures/picture-host-testing.ts'
import { brandPictureTasks, resellers } from './index.ts'

const OWN = /^data:image\/png;base64,/
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>'

describe.each(engines)('pictures of brands on %s', (_engine, open) => {
  let database: TestDatabase
  let api: TestApi
  let host: PictureHost
  beforeAll(async () => {
    database = await open()
    api = await testApi({ slices: [resellers], open: async () => database, downloads: thisMachine })
    const picture = file(PNG.sync.write(new PNG({ width: 8, height: 8 })))
    host = await startPictureHost({ '/a.png': picture, '/b.png': picture, '/c.svg': file(SVG, 'image/svg+xml') })
  })
  afterAll(async () => {
    await host[Symbol.asyncDispose]()
    await api[Symbol.asyncDispose]()
  })

  const brand = async () => {
    const resellerId = await api.addReseller()
    const { token } = await api.addStaff({ resellerId })
    const patch = (body: object) => api.call(token, 'PATCH resellers/self/theme', body)
    return { resellerId, token, patch, read: () => api.call(token, 'GET resellers/self/theme') }
  }
  const store = (resellerId: number, theme: object) =>
    api.owner.plain
      .updateTable('resellers')
      .set({ theme: JSON.stringify(theme) })
      .where('reseller_id', '=', resellerId)
      .execute()
  const linesOf = (resellerId: number) =>
    api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', resellerId).execute()
  const runTask = (rules = thisMachine) =>
    runJobs(database.connection, brandPictureTasks({ db: api.app, ids: idSource(api.app), rules, log: silentLogger }))

  test('a logo given by address is downloaded once, and no reply, log or stored value names another host', async () => {
    const { resellerId, patch, read } = await brand()
    const asked = host.asked.length
    const changed = await patch({ logo: `${host.origin}/a.png`, favicon: `${host.origin}/b.png` })
    expect(changed).toMatchObject({
      status: 200,
      body: { logo: expect.stringMatching(OWN), favicon: expect.stringMatching(OWN) },
    })
    expect(host.asked.slice(asked).toSorted()).toEqual(['/a.png', '/b.png'])
    expect((await read()).body).toEqual(changed.body)
    // Sending the same theme back downloads nothing.
    expect((await patch(changed.body)).status).toBe(200)
    expect(host.asked.length).toBe(asked + 2)
    expect(JSON.stringify(await linesOf(resellerId))).not.toContain(host.origin)
  })

  test('an unusable picture refuses the whole change, with a message for its field', async () => {
    const { patch, read } = await brand()
    const before = (await read()).body
    const refused = await patch({ companyName: 'Blue', logo: `${host.origin}/a.png`, logoDark: `${host.origin}/c.svg` })
    expect(refused).toMatchObject({ status: 400, body: { code: 3, detail: expect.stringContaining('logoDark: SVG') } })
    expect((await patch({ favicon: 'https://10.0.0.1/icon.png' })).status).toBe(400)
    expect((await read()).body).toEqual(before)
  })

  test("nothing is downloaded for callers who can't change the brand", async () => {
    const { resellerId } = await brand()
    const { token } = await api.addStaff({ resellerId: await api.addReseller() })
    const asked = host.asked.length
    const body = { logo: `${host.origin}/a.png` }
    expect((await api.call(token, `PATCH resellers/${resellerId}/theme`, body)).status).toBe(404)
    expect(host.asked.length).toBe(asked)
  })

  test('a theme stored with an address shows the company name until the server has downloaded the picture', async () => {
    const { resellerId, read } = await brand()
    const other = await brand()
    await store(resellerId, { companyName: 'Blue', logo: `${host.origin}/a.png`, favicon: 'https://10.0.0.1/i.png' })
    await store(other.resellerId, { logo: `${host.origin}/c.svg` })
    expect((await read()).body).toMatchObject({ logo: null, favicon: null, companyName: 'Blue' })
    await runTask(internetOnly)
    expect((await read()).body.logo).toBeNull()
    await runTask()
    const asked = host.asked.filter((path) => path === '/a.png').length
    const shown = (await read()).body
    expect(shown).toMatchObject({ logo: expect.stringMatching(OWN), favicon: null, companyName: 'Blue' })
    expect((await other.read()).body.logo).toBeNull()
    await runTask()
    expect(host.asked.filter((path) => path === '/a.png').length).toBe(asked)
    expect(await linesOf(resellerId)).toMatchObject([{ action: 'patchResellerTheme', user_id: null, after: shown }])
  })
})
