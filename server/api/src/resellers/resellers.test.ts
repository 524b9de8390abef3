import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { distributors } from '../distributors/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { subUsers } from '../sub-users/index.ts'
import { users } from '../users/index.ts'
import { zones } from '../zones/index.ts'
import { resellers } from './index.ts'

/** A red pixel, encoded as the server itself does it. */
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4AWP4z8DwHwAFAAH/e+m+7wAAAABJRU5ErkJggg=='

describe.each(engines)('distributors and resellers on %s', (_engine, open) => {
  let api: TestApi
  let admin: string
  let distributor: string
  beforeAll(async () => {
    api = await testApi({ slices: [distributors, resellers, subUsers, users, zones], open })
    admin = (await api.addStaff({ level: 'admin' })).token
    distributor = (await api.addStaff({ level: 'distributor' })).token
  })
  afterAll(() => api[Symbol.asyncDispose]())

  test('an administrator adds, changes and removes distributors; names are unique (code 5)', async () => {
    const added = await api.call(admin, 'POST distributors', {
      name: 'North & Co',
      email: 'north@demo.example',
      country: 'NL',
      contactDetails: { firstName: 'Nora', lastName: 'North', city: 'Oslo' },
    })
    expect(added).toMatchObject({ status: 201, body: { name: 'North & Co', country: 'NL', resellers: 0 } })
    const { distributorId } = added.body
    expect(added.headers.get('location')).toBe(`/rest/v2.4/distributors/${distributorId}`)
    const again = await api.call(admin, 'POST distributors', { name: 'north & CO' })
    expect(again).toMatchObject({ status: 409, body: { code: 5 } })
    const patch = { contactDetails: { city: null, phone: '+31 20 555' }, email: null }
    const changed = await api.call(admin, `PATCH distributors/${distributorId}`, patch)
    expect(changed.body).toMatchObject({
      email: null,
      contactDetails: { firstName: 'Nora', lastName: 'North', phone: '+31 20 555' },
    })
    expect(changed.body.contactDetails).not.toHaveProperty('city')
    expect((await api.call(admin, `GET distributors/${distributorId}`)).body).toEqual(changed.body)
    expect((await api.call(admin, `DELETE distributors/${distributorId}`)).status).toBe(204)
    expect((await api.call(admin, `GET distributors/${distributorId}`)).body).toEqual({ code: 4, title: 'Not found' })
  })

  test('a distributor with resellers can’t be removed (code 6)', async () => {
    const distributorId = await api.addDistributor()
    const resellerId = await api.addReseller({ distributorId })
    const refused = await api.call(admin, `DELETE distributors/${distributorId}`)
    expect(refused).toMatchObject({ status: 409, body: { code: 6 } })
    expect((await api.call(admin, `DELETE resellers/${resellerId}`)).status).toBe(204)
    expect((await api.call(admin, `DELETE distributors/${distributorId}`)).status).toBe(204)
  })

  test('a distributor can add resellers only to itself', async () => {
    const added = await api.call(distributor, 'POST distributors/self/resellers', {
      name: 'Harbour',
      timeZone: 'Europe/Oslo',
      modules: { reports: true },
      maxSubUsers: 5,
    })
    expect(added).toMatchObject({
      status: 201,
      body: {
        distributorId: 1,
        name: 'Harbour',
        timeZone: 'Europe/Oslo',
        maxSubUsers: 5,
        accounts: 0,
        modules: { reports: true, whiteLabel: false, generateAccessToken: false },
      },
    })
    const twice = await api.call(distributor, 'POST distributors/1/resellers', { name: 'HARBOUR' })
    expect(twice).toMatchObject({ status: 409, body: { code: 5 } })
    const foreign = await api.addDistributor()
    const body = { name: 'Harbour' }
    const refused = await api.call(distributor, `POST distributors/${foreign}/resellers`, body)
    expect(refused).toMatchObject({ status: 404, body: { code: 4 } })
    expect((await api.call(admin, `POST distributors/${foreign}/resellers`, body)).status).toBe(201)
    const listed = await api.call(distributor, 'GET distributors/self/resellers')
    expect(listed.body.map((one: { distributorId: number }) => one.distributorId)).toEqual(listed.body.map(() => 1))
  })

  test('an unknown time zone, name or country is refused with code 3', async () => {
    const refusals = [
      ['POST distributors/1/resellers', { name: 'Zone', timeZone: 'Mars/Olympus' }],
      ['POST distributors/1/resellers', { name: ' ' }],
      ['POST distributors/1/resellers', { name: 'a<script>' }],
      ['POST distributors', { name: 'Land', country: 'XX' }],
      ['PATCH resellers/255/modules', { video: true }],
    ] as const
    for (const [request, body] of refusals) {
      expect(await api.call(admin, request, body), request).toMatchObject({ status: 400, body: { code: 3 } })
    }
  })

  test('a reseller is changed with If-Match, and can be removed only without accounts (code 6)', async () => {
    const resellerId = await api.addReseller()
    const { token } = await api.addStaff({ resellerId })
    const read = await api.call(token, 'GET resellers/self')
    expect(read.body).toMatchObject({ resellerId, accounts: 0 })
    const tag = { 'if-match': read.headers.get('etag') ?? '' }
    const name = `Renamed ${resellerId}`
    const changed = await api.call(distributor, `PATCH resellers/${resellerId}`, { name }, tag)
    expect(changed).toMatchObject({ status: 200, body: { name } })
    expect((await api.call(distributor, `PATCH resellers/${resellerId}`, { name }, tag)).status).toBe(412)
    const { accountId } = await api.addAccount({ resellerId })
    expect((await api.call(distributor, `GET resellers/${resellerId}`)).body.accounts).toBe(1)
    const kept = await api.call(distributor, `DELETE resellers/${resellerId}`)
    expect(kept).toMatchObject({ status: 409, body: { code: 6 } })
    for (const table of ['zones', 'users', 'accounts'] as const) {
      await api.owner.plain.deleteFrom(table).where('account_id', '=', accountId).execute()
    }
    expect((await api.call(distributor, `DELETE resellers/${resellerId}`)).status).toBe(204)
    // Its staff are removed with it.
    expect((await api.call(token, 'GET users/self')).status).toBe(401)
  })

  test('a limit below the number of sub-users that an account has is refused with code 6', async () => {
    const resellerId = await api.addReseller()
    const { accountId } = await api.addAccount({ resellerId })
    for (const n of [1, 2]) await api.addSubUser(accountId, { rights: [], email: `n${n}-${accountId}@demo.example` })
    const patch = (maxSubUsers: number) => api.call(distributor, `PATCH resellers/${resellerId}`, { maxSubUsers })
    expect(await patch(1)).toMatchObject({ status: 409, body: { code: 6 } })
    expect((await patch(2)).status).toBe(200)
  })

  test('a module that is turned off is gone for staff and owners from the next call', async () => {
    const resellerId = await api.addReseller()
    const { token } = await api.addStaff({ resellerId })
    expect((await api.call(token, 'GET resellers/self/theme')).status).toBe(200)
    const off = await api.call(distributor, `PATCH resellers/${resellerId}/modules`, { whiteLabel: false })
    expect(off).toMatchObject({ status: 200, body: { whiteLabel: false, reports: true } })
    for (const who of [token, distributor, admin]) {
      const answer = await api.call(who, `GET resellers/${resellerId}/theme`)
      expect(answer).toMatchObject({ status: 403, body: { code: 9 } })
    }
    const change = { companyName: 'Not ours' }
    expect((await api.call(admin, `PATCH resellers/${resellerId}/theme`, change)).status).toBe(403)
  })

  test('a brand changes its theme field by field and resets it field by field', async () => {
    const resellerId = await api.addReseller()
    const { token } = await api.addStaff({ resellerId })
    const logo = PICTURE
    const patch = {
      logo,
      companyName: 'Blue',
      colors: { primary: '#0000FF' },
      links: { terms: 'https://blue.example/t' },
    }
    const changed = await api.call(token, 'PATCH resellers/self/theme', patch)
    expect(changed).toMatchObject({
      status: 200,
      body: { logo, companyName: 'Blue', colors: { primary: '#0000ff' }, links: { terms: 'https://blue.example/t' } },
    })
    // Not the provider's logo on dark backgrounds.
    expect(changed.body).not.toHaveProperty('logoDark')
    expect(changed.body.links).toMatchObject({ webapp: '/app/', cookies: '/cookies' })
    const back = { logo: null, companyName: null, colors: { primary: null }, links: { terms: null } }
    const after = await api.call(token, 'PATCH resellers/self/theme', back)
    expect(after.body).toMatchObject({ logo: null, companyName: 'Sightline', colors: { primary: '#0b6e6e' } })
    expect(after.body.links).not.toHaveProperty('terms')
  })

  test('a brand sets how long its tokens last, which is in the audit log, and resets it to the default', async () => {
    const resellerId = await api.addReseller()
    const { token } = await api.addStaff({ resellerId })
    const tokenLifetimes = { accessMinutes: 30, refreshDays: 7 }
    const chosen = await api.call(token, 'PATCH resellers/self/theme', { tokenLifetimes })
    expect(chosen).toMatchObject({ status: 200, body: { tokenLifetimes } })
    const log = api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', resellerId)
    expect(await log.execute()).toMatchObject([{ action: 'patchResellerTheme', after: { tokenLifetimes } }])
    const back = await api.call(token, 'PATCH resellers/self/theme', { tokenLifetimes: null })
    expect(back.body).not.toHaveProperty('tokenLifetimes')
  })

  test('anyone can read the theme of a host’s brand; a host without a brand has the provider’s theme', async () => {
    const resellerId = await api.addReseller()
    const { token } = await api.addStaff({ resellerId })
    const host = `cams-${resellerId}.example`
    await api.owner.plain.insertInto('brand_hosts').values({ host, reseller_id: resellerId }).execute()
    await api.call(token, 'PATCH resellers/self/theme', { companyName: 'Blue' })
    for (const given of [host, `${host.toUpperCase()}:443`]) {
      expect(await api.call(undefined, `GET themes/${given}`)).toMatchObject({
        status: 200,
        body: { companyName: 'Blue' },
      })
    }
    for (const given of ['nobody.example', '%2e%2e%2f', `${host}:8443`]) {
      expect((await api.call(undefined, `GET themes/${given}`)).body).toMatchObject({ companyName: 'Sightline' })
    }
  })

  test.each([
    { links: { terms: 'javascript:alert(1)' } },
    { tokenLifetimes: { accessMinutes: 4 } },
    { tokenLifetimes: { accessMinutes: 721 } },
    { tokenLifetimes: { refreshDays: 0 } },
    { tokenLifetimes: { refreshDays: 3651 } },
    { links: { terms: '//evil.example' } },
    { links: { tracker: 'https://evil.example' } },
    { logo: 'data:text/html,<script>' },
    { logo: 'http://plain.example/logo.png' },
    { colors: { primary: 'red' } },
    { colors: { primary: '#fff' } },
    { companyName: '' },
    { logoWidth: 5000 },
  ])('the theme %j is refused with code 3', async (patch) => {
    const resellerId = await api.addReseller()
    const { token } = await api.addStaff({ resellerId })
    expect(await api.call(token, 'PATCH resellers/self/theme', patch)).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('a distributor’s change is in the reseller’s log with the staff member who made it', async () => {
    const resellerId = await api.addReseller()
    const { token, userId } = await api.addStaff({ level: 'distributor' })
    await api.call(token, `PATCH resellers/${resellerId}/modules`, { reports: false })
    const lines = await api.owner.plain
      .selectFrom('audit_log')
      .selectAll()
      .where('account_id', '=', resellerId)
      .execute()
    expect(lines).toMatchObject([
      { action: 'patchModules', staff_id: userId, before: { reports: true }, after: { reports: false } },
    ])
  })
})
