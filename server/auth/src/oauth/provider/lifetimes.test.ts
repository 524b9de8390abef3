import type { TokenLifetimes } from '@sightline/contract/theme'
import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'

const PASSWORD = 'Correct-horse7'
const DAY_S = 24 * 3600
const hosts = { 255: 'green.example', 300: 'blue.example' } as const
type Brand = keyof typeof hosts
let under: AuthUnderTest
let secret: string

beforeAll(async () => {
  under = await openAuthUnderTest()
  secret = await under.addClient({ clientId: 'nvr', passwordGrant: true })
  for (const [reseller_id, host] of [
    [255, hosts[255]],
    [300, hosts[300]],
  ] as const) {
    await under.owner.insertInto('brand_hosts').values({ host, reseller_id }).execute()
    const userId = 1000 + reseller_id
    await under.addUser({ userId, email: `${userId}@demo.example`, password: PASSWORD, resellerId: reseller_id })
  }
  await choose(300, { accessMinutes: 30, refreshDays: 7 })
})
afterAll(() => under[Symbol.asyncDispose]())

const choose = (resellerId: number, tokenLifetimes: TokenLifetimes) =>
  under.owner
    .updateTable('resellers')
    .set({ theme: JSON.stringify({ tokenLifetimes }) })
    .where('reseller_id', '=', resellerId)
    .execute()

async function tokens(brand: Brand, host: string) {
  const reply = await fetch(`${under.origin}/oauth/token`, {
    method: 'POST',
    headers: {
      'x-forwarded-host': host,
      authorization: `Basic ${Buffer.from(`nvr:${secret}`).toString('base64')}`,
    },
    body: new URLSearchParams({ grant_type: 'password', username: `${1000 + brand}@demo.example`, password: PASSWORD }),
  })
  return (await reply.json()) as { access_token: string; refresh_token: string; expires_in: number }
}

/** How long the row of the access token really opens something, in seconds. */
async function accessS(token: string): Promise<number> {
  const { created_at, expires_at } = await under.owner
    .selectFrom('auth.access_sessions')
    .select(['created_at', 'expires_at'])
    .where('token_sha256', '=', tokenSha256(token))
    .executeTakeFirstOrThrow()
  return Math.round((Number(expires_at) - Number(created_at)) / 1000)
}

describe('how long tokens last', () => {
  test('is set by the host’s brand', async () => {
    const { access_token, expires_in } = await tokens(300, hosts[300])
    expect(expires_in).toBe(30 * 60)
    expect(await accessS(access_token)).toBe(30 * 60)
  })

  test('is 12 hours on the host of a brand without a setting, and on the provider’s own', async () => {
    expect((await tokens(255, hosts[255])).expires_in).toBe(12 * 3600)
    expect((await tokens(300, new URL(under.origin).host)).expires_in).toBe(12 * 3600)
  })

  test('is set by the brand in days for refresh tokens', async () => {
    const lastsDays = async (brand: Brand) => {
      const begun = Date.now()
      await tokens(brand, hosts[brand])
      const rows = await under.owner
        .selectFrom('auth.provider_records')
        .select(['payload', 'expires_at'])
        .where('kind', '=', 'RefreshToken')
        .execute()
      const row = rows.find(({ payload }) => payload.accountId === String(1000 + brand))
      const expires_at = row?.expires_at
      return Math.round((Number(expires_at) - begun) / 1000 / DAY_S)
    }
    expect(await lastsDays(300)).toBe(7)
    expect(await lastsDays(255)).toBe(3650)
  })
})
