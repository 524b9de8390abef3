import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { resellerAccounts } from './index.ts'

interface Arranged {
  readonly name: string
  readonly resellerId: number
  readonly phone: string
  readonly contactPhone: string
  readonly mac: string
  readonly recorder: string
}

describe.each(engines)('the search for accounts on %s', (_engine, open) => {
  let api: TestApi
  let dealer: string
  let bakery: number
  let garage: number
  let foreign: number

  /** An account with a phone number, a sub-user, a camera and a recorder. */
  const arrange = async (given: Arranged) => {
    const slug = given.name.toLowerCase()
    const { resellerId } = given
    const { accountId, zoneId } = await api.addAccount({ resellerId, email: `owner@${slug}.example` })
    const { plain } = api.owner
    await plain
      .updateTable('accounts')
      .set({ name: `${given.name} 100%`, contact_details: JSON.stringify({ secondaryPhone: given.contactPhone }) })
      .where('account_id', '=', accountId)
      .execute()
    await plain.updateTable('users').set({ phone: given.phone }).where('user_id', '=', accountId).execute()
    await api.addSubUser(accountId, { rights: [], email: `night_shift@${slug}.example` })
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    await plain.updateTable('cameras').set({ eth_mac_address: given.mac }).where('camera_id', '=', cameraId).execute()
    await plain
      .insertInto('devices')
      .values({
        account_id: accountId,
        device_id: cameraId + 1_000_000,
        zone_id: zoneId,
        name: 'Recorder',
        eth_mac_address: given.recorder,
      })
      .execute()
    return accountId
  }

  beforeAll(async () => {
    api = await testApi({ slices: [resellerAccounts], open })
    dealer = (await api.addStaff()).token
    bakery = await arrange({
      name: 'Bakery',
      resellerId: 255,
      phone: '+31 (0)20 155-4433',
      contactPhone: '+31 20 755 4433',
      mac: '02:53:4c:aa:00:01',
      recorder: '02-53-4C-AA-00-02',
    })
    garage = await arrange({
      name: 'Garage',
      resellerId: 255,
      phone: '0161 496 0000',
      contactPhone: '0161 496 0001',
      mac: '02:53:4c:bb:00:01',
      recorder: '02:53:4c:bb:00:02',
    })
    foreign = await arrange({
      name: 'Foreign',
      resellerId: await api.addReseller(),
      phone: '+44 161 496 0999',
      contactPhone: '+44 161 496 0998',
      mac: '02:53:4c:cc:00:01',
      recorder: '02:53:4c:cc:00:02',
    })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const found = async (q: string, token = dealer): Promise<readonly number[]> => {
    const { status, body } = await api.call(token, `GET resellers/self/accounts?q=${encodeURIComponent(q)}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.map(({ accountId }: { accountId: number }) => accountId)
  }

  test('finds an account by its whole number, not by a part of it', async () => {
    expect(await found(String(bakery))).toEqual([bakery])
    expect(await found(` ${garage} `)).toEqual([garage])
    expect(await found(String(bakery).slice(0, -1))).not.toContain(bakery)
  })

  test('finds an account by part of the email address of any of its users', async () => {
    expect(await found('NIGHT_SHIFT@bak')).toEqual([bakery])
    expect(await found('night_shift@')).toEqual(expect.arrayContaining([bakery, garage]))
  })

  test.each(['+31 20 155 4433', '020-1554433', '0031201554433', '155 4433', '+31 (0)20 155-4433'])(
    'finds an account by the telephone number %s, however it is written',
    async (phone) => expect(await found(phone)).toEqual([bakery]),
  )

  test('finds an account by a telephone number of its contact', async () => {
    expect(await found('020 755 4433')).toEqual([bakery])
  })

  test.each(['02:53:4c:aa:00:01', '02-53-4C-AA-00-01', '0253.4caa.0001', '02534CAA0001', '02534caa0002'])(
    'finds an account by the MAC address %s of a camera or device',
    async (mac) => expect(await found(mac)).toEqual([bakery]),
  )

  test('takes signs of the pattern language as they are', async () => {
    expect(await found('GARAGE 100%')).toEqual([garage])
    expect(await found('night%bakery')).toEqual([])
    expect(await found('nightXshift@')).toEqual([])
    expect(await found(String.raw`Garage 100\%`)).toEqual([])
  })

  test('finds nothing of another reseller, whatever is searched', async () => {
    for (const q of ['Foreign', String(foreign), '@foreign.example', '161 496 0999', '02534ccc0001', '02534ccc0002']) {
      expect(await found(q), q).toEqual([])
    }
  })

  test('finds nothing of accounts that staff limited to some accounts can’t open', async () => {
    const { token } = await api.addStaff({ accountIds: [garage] })
    for (const q of ['Bakery', String(bakery), '@bakery.example', '020 155 4433', '02534caa0001', '02534caa0002']) {
      expect(await found(q, token), q).toEqual([])
    }
    expect(await found('02534cbb0002', token)).toEqual([garage])
  })

  test('counts what it finds, and combines with the other filters', async () => {
    const counted = await api.call(dealer, 'GET resellers/self/accounts?q=night_shift&count=true&limit=1')
    expect(counted.headers.get('x-total-count')).toBe('2')
    const suspended = await api.call(dealer, 'GET resellers/self/accounts?q=02534caa0001&status=suspended')
    expect(suspended.body).toEqual([])
  })
})
