import { providerTheme } from '@sightline/contract/theme'
import { describe, expect, test } from 'vitest'
import { manualClock } from '../clock/index.ts'
import { testDatabase } from '../db-testing/index.ts'
import { brandSource, createBrandLookup, normalHost } from './index.ts'

const theme = { ...providerTheme, companyName: 'Blue Eye' }
const open = (find: Parameters<typeof brandSource>[0], clock = manualClock(0)) =>
  brandSource(find, { scheme: 'https', ownHosts: () => ['cams.example', 'localhost:8080'], clock })

describe('brand by host', () => {
  test('a registered host gets its reseller and theme, in any case and with the default port', async () => {
    const brands = open(async (host) => (host === 'blue.example' ? { resellerId: 7, theme } : undefined))
    const brand = { origin: 'https://blue.example', host: 'blue.example', resellerId: 7, theme }
    expect(await brands.forHost('blue.example')).toEqual(brand)
    expect(await brands.forHost('BLUE.example:443')).toEqual(brand)
  })
  test('provider hosts belong to no reseller', async () => {
    const brands = open(async () => ({ resellerId: 7, theme }))
    expect(await brands.forHost('localhost:8080')).toMatchObject({
      origin: 'https://localhost:8080',
      resellerId: undefined,
    })
  })
  test('a provider host may have the default port', async () => {
    const settings = { scheme: 'http', ownHosts: () => ['127.0.0.1:80'], clock: manualClock(0) } as const
    const brands = brandSource(async () => undefined, settings)
    expect((await brands.forHost('127.0.0.1')).origin).toBe('http://127.0.0.1')
  })
  test.each(['evil.example', 'evil"><script>', '', 'a b', 'x@y', 'cams.example:8443'])(
    'unknown host %j gets the provider at its first host and is never reflected',
    async (host) => {
      const brands = open(async () => undefined)
      expect(await brands.forHost(host)).toMatchObject({ origin: 'https://cams.example', host: 'cams.example' })
    },
  )
  test("an invalid theme falls back to the provider's", async () => {
    const brands = open(async () => ({ resellerId: 7, theme: { logo: 'javascript:alert(1)' } }))
    expect((await brands.forHost('blue.example')).theme).toEqual(providerTheme)
  })
  test('a picture on another host is replaced with the company name', async () => {
    const foreign = 'https://pictures.example/a.png'
    const look = { ...theme, logo: foreign, logoDark: foreign, favicon: foreign }
    const brands = open(async () => ({ resellerId: 7, theme: look }))
    const { logoDark: _, ...shown } = theme
    expect((await brands.forHost('blue.example')).theme).toEqual({ ...shown, logo: null, favicon: null })
  })
  test('a change takes effect after five seconds', async () => {
    const clock = manualClock(0)
    let resellerId = 7
    const brands = open(async () => ({ resellerId, theme }), clock)
    await brands.forHost('blue.example')
    resellerId = 8
    clock.advance(4999)
    expect((await brands.forHost('blue.example')).resellerId).toBe(7)
    clock.advance(1)
    expect((await brands.forHost('blue.example')).resellerId).toBe(8)
  })
  test('an unchanged brand stays the same object, so that results for it can be cached', async () => {
    const clock = manualClock(0)
    const brands = open(
      async (host) => (host === 'blue.example' ? { resellerId: 7, theme: { ...theme } } : undefined),
      clock,
    )
    const [blue, own] = [await brands.forHost('blue.example'), await brands.forHost('cams.example')]
    clock.advance(5000)
    expect(await brands.forHost('blue.example')).toBe(blue)
    expect(await brands.forHost('cams.example')).toBe(own)
  })
  test('a known brand survives a database outage; an unknown one is an error, not the provider', async () => {
    const clock = manualClock(0)
    let isDown = false
    const brands = open(async () => {
      if (isDown) throw new Error('down')
      return { resellerId: 7, theme }
    }, clock)
    await brands.forHost('blue.example')
    isDown = true
    clock.advance(60_000)
    expect((await brands.forHost('blue.example')).resellerId).toBe(7)
    await expect(brands.forHost('green.example')).rejects.toThrow('down')
    expect((await brands.forHost('cams.example')).resellerId).toBeUndefined()
  })
  test('every plane can look up hosts in the database', async () => {
    await using database = await testDatabase()
    const owner = database.db('owner').plain
    await owner.insertInto('distributors').values({ distributor_id: 1, name: 'd' }).execute()
    await owner
      .insertInto('resellers')
      .values({ reseller_id: 255, distributor_id: 1, name: 'r', theme: JSON.stringify(theme) })
      .execute()
    await owner.insertInto('brand_hosts').values({ host: 'blue.example', reseller_id: 255 }).execute()
    for (const role of ['app', 'auth', 'media'] as const) {
      expect(await createBrandLookup(database.db(role))('blue.example')).toEqual({ resellerId: 255, theme })
    }
  })
})

test('IPv6 hosts keep their brackets and port', () => {
  expect(normalHost('[::1]:8080', 'http')).toBe('[::1]:8080')
  expect(normalHost('[::1]:80', 'http')).toBe('[::1]')
})
