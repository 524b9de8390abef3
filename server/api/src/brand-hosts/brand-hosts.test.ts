import { MAX_BRAND_HOSTS } from '@sightline/contract/brand-hosts'
import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resellers } from '../resellers/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { brandHosts } from './index.ts'

describe.each(engines)('hosts of brands on %s', (_engine, open) => {
  let api: TestApi
  let distributor: string
  let count = 0
  beforeAll(async () => {
    api = await testApi({ slices: [brandHosts, resellers], open })
    distributor = (await api.addStaff({ level: 'distributor' })).token
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const freshHost = () => {
    count += 1
    return `brand-${count}.example`
  }

  test('a distributor adds a host, which shows the brand, and removes it, which shows the provider again', async () => {
    const resellerId = await api.addReseller()
    const host = freshHost()
    await api.call(distributor, `PATCH resellers/${resellerId}/theme`, { companyName: 'Blue' })
    const added = await api.call(distributor, `POST resellers/${resellerId}/hosts`, {
      host: ` ${host.toUpperCase()}:443`,
    })
    expect(added).toMatchObject({ status: 201, body: { host } })
    expect(added.headers.get('location')).toBe(`/rest/v2.4/resellers/${resellerId}/hosts/${host}`)
    expect((await api.call(distributor, `GET resellers/${resellerId}/hosts`)).body).toEqual([added.body])
    const one = `GET resellers/${resellerId}/hosts/${host}`
    expect((await api.call(distributor, one)).body).toEqual(added.body)
    const shown = async () => (await api.call(undefined, `GET themes/${host}`)).body.companyName
    expect(await shown()).toBe('Blue')
    const removed = await api.call(distributor, `DELETE resellers/${resellerId}/hosts/${host}`)
    expect(removed.status).toBe(204)
    expect(await shown()).toBe('Sightline')
    expect((await api.call(distributor, one)).status).toBe(404)
    const again = await api.call(distributor, `DELETE resellers/${resellerId}/hosts/${host}`)
    expect(again).toMatchObject({ status: 404, body: { code: 4 } })
  })

  test('both are in the reseller’s log with the staff member who did it', async () => {
    const resellerId = await api.addReseller()
    const { token, userId } = await api.addStaff({ level: 'distributor' })
    const host = freshHost()
    await api.call(token, `POST resellers/${resellerId}/hosts`, { host })
    await api.call(token, `DELETE resellers/${resellerId}/hosts/${host}`)
    const log = api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', resellerId)
    expect(await log.orderBy('action').execute()).toMatchObject([
      { action: 'addBrandHost', staff_id: userId, target_id: resellerId, after: { host } },
      { action: 'deleteBrandHost', staff_id: userId, target_id: resellerId, before: { host } },
    ])
  })

  test('the reseller’s own staff see its hosts but can’t change them', async () => {
    const resellerId = await api.addReseller()
    const { token } = await api.addStaff({ resellerId })
    const host = freshHost()
    await api.call(distributor, `POST resellers/${resellerId}/hosts`, { host })
    expect((await api.call(token, 'GET resellers/self/hosts')).body).toMatchObject([{ host }])
    const add = await api.call(token, 'POST resellers/self/hosts', { host: freshHost() })
    expect(add).toMatchObject({ status: 403, body: { code: 9 } })
    expect((await api.call(token, `DELETE resellers/self/hosts/${host}`)).status).toBe(403)
    expect((await api.call(token, 'GET resellers/self/hosts')).body).toMatchObject([{ host }])
  })

  test('a host that any brand or the provider already has is refused with code 5', async () => {
    const [one, other] = [await api.addReseller(), await api.addReseller({ distributorId: await api.addDistributor() })]
    const admin = (await api.addStaff({ level: 'admin' })).token
    const host = freshHost()
    expect((await api.call(admin, `POST resellers/${one}/hosts`, { host })).status).toBe(201)
    for (const resellerId of [one, other]) {
      const twice = await api.call(admin, `POST resellers/${resellerId}/hosts`, { host: `${host}:443` })
      expect(twice).toMatchObject({ status: 409, body: { code: 5 } })
    }
    const providers = await api.call(admin, `POST resellers/${one}/hosts`, { host: 'VIDEO.example' })
    expect(providers).toMatchObject({ status: 409, body: { code: 5 } })
  })

  test('a host can’t be removed through another brand, nor by another distributor', async () => {
    const [one, other] = [await api.addReseller(), await api.addReseller()]
    const foreign = await api.addReseller({ distributorId: await api.addDistributor() })
    const admin = (await api.addStaff({ level: 'admin' })).token
    const [ofOther, ofForeign] = [freshHost(), freshHost()]
    await api.call(admin, `POST resellers/${other}/hosts`, { host: ofOther })
    await api.call(admin, `POST resellers/${foreign}/hosts`, { host: ofForeign })
    for (const path of [`${one}/hosts/${ofOther}`, `${foreign}/hosts/${ofForeign}`]) {
      expect(await api.call(distributor, `DELETE resellers/${path}`)).toMatchObject({ status: 404, body: { code: 4 } })
    }
    const refused = await api.call(distributor, `POST resellers/${foreign}/hosts`, { host: freshHost() })
    expect(refused).toMatchObject({ status: 404, body: { code: 4 } })
    expect((await api.call(admin, `GET resellers/${foreign}/hosts`)).body).toHaveLength(1)
  })

  test('without its module whiteLabel a brand has no hosts to see or change', async () => {
    const resellerId = await api.addReseller()
    const host = freshHost()
    await api.call(distributor, `POST resellers/${resellerId}/hosts`, { host })
    await api.call(distributor, `PATCH resellers/${resellerId}/modules`, { whiteLabel: false })
    const path = `resellers/${resellerId}/hosts`
    const requests = [[`GET ${path}`], [`POST ${path}`, { host: freshHost() }], [`DELETE ${path}/${host}`]] as const
    for (const [request, body] of requests) {
      expect(await api.call(distributor, request, body)).toMatchObject({ status: 403, body: { code: 9 } })
    }
  })

  test.each([
    '',
    'a b',
    'https://a.example',
    'a.example/x',
    '192.0.2.7',
    '[::1]',
    '-a.example',
    'a.example:0',
    'a.example:65536',
    '*.example',
    'a..example',
  ])('the host %j is refused with code 3', async (host) => {
    const refused = await api.call(distributor, 'POST resellers/255/hosts', { host })
    expect(refused).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('a brand has at most 20 hosts (code 6)', async () => {
    const resellerId = await api.addReseller()
    const hosts = Array.from({ length: MAX_BRAND_HOSTS }, () => ({ host: freshHost(), reseller_id: resellerId }))
    await api.owner.plain.insertInto('brand_hosts').values(hosts).execute()
    const refused = await api.call(distributor, `POST resellers/${resellerId}/hosts`, { host: freshHost() })
    expect(refused).toMatchObject({ status: 409, body: { code: 6 } })
  })
})
