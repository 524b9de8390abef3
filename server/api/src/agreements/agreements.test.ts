import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instant } from '@sightline/platform/db'
import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { explanations } from '../explanations/index.ts'
import { referenceLists } from '../reference-lists/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { users } from '../users/index.ts'
import { agreements } from './index.ts'

const notAsked = { asked: false, version: null, acceptedAt: null }
const all = { isAdult: true, isInUsOrCanada: true, watchesNoChildren: true }

describe.each(engines)('users/self/agreement on %s', (_engine, open) => {
  let api: TestApi
  let folder: string
  /** Support of the tests is this reseller's. */
  const asking = 255
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sightline-agreements-'))
    api = await testApi({
      slices: [agreements, cameras, explanations, referenceLists, users],
      open,
      legalFolder: folder,
    })
    const theme = JSON.stringify({ asksForAgreement: true })
    await api.owner.plain.updateTable('resellers').set({ theme }).where('reseller_id', '=', asking).execute()
    await mkdir(join(folder, String(asking)))
    await publish('1')
  })
  afterAll(async () => {
    await api[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const publish = (version: string) =>
    writeFile(join(folder, `${asking}/subscriptionagreement.md`), `Version: ${version}\n# Agreement\n`)
  const asked = async (token: string) => (await api.call(token, 'GET users/self/agreement')).body
  const accept = (token: string, body: object) => api.call(token, 'POST users/self/agreement', body)

  test("users don't have to accept anything if the brand doesn't ask", async () => {
    const { token } = await api.addAccount({ resellerId: await api.addReseller() })
    expect(await asked(token)).toEqual(notAsked)
    expect(await accept(token, { ...all, version: '1' })).toMatchObject({ status: 409, body: { code: 6 } })
  })

  test('a user accepts a version once, with the time and an audit entry; a new version asks again', async () => {
    await publish('1')
    const { token, accountId } = await api.addAccount({ resellerId: asking })
    expect(await asked(token)).toEqual({ asked: true, version: '1', acceptedAt: null })
    for (let times = 0; times < 2; times += 1)
      expect(await accept(token, { ...all, version: '1' })).toMatchObject({ status: 204 })
    const { acceptedAt, ...rest } = await asked(token)
    expect(rest).toEqual({ asked: false, version: '1' })
    expect(Date.parse(acceptedAt)).toBe(api.now)
    const lines = api.owner.plain
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('account_id', '=', accountId)
    expect(await lines.execute()).toEqual([{ action: 'acceptAgreement', after: { ...all, version: '1' } }])
    await publish('2')
    expect(await asked(token)).toEqual({ asked: true, version: '2', acceptedAt: null })
    expect(await accept(token, { ...all, version: '1' })).toMatchObject({ status: 409, body: { code: 6 } })
    expect(await accept(token, { ...all, version: '2' })).toMatchObject({ status: 204 })
    expect(await lines.execute()).toHaveLength(2)
  })

  describe('before the user accepts it', () => {
    const owed = { status: 403, body: { code: 9, detail: expect.stringContaining('users/self/agreement') } }
    const cameras = (token: string) => api.call(token, 'GET cameras')

    test.each(['the owner', 'a sub-user'])(
      '%s can only access their own user; accepting takes effect immediately',
      async (who) => {
        await publish('1')
        const account = await api.addAccount({ resellerId: asking })
        const subUser = await api.addSubUser(account.accountId, { rights: ['editUser'], allCameras: true })
        const { token } = who === 'the owner' ? account : subUser
        expect(await cameras(token)).toMatchObject(owed)
        for (const path of ['users/self', 'users/self/rights', 'users/self/agreement', 'languages'])
          expect((await api.call(token, `GET ${path}`)).status).toBe(200)
        const flags = async () => (await api.call(token, 'GET users/self/featureFlags')).body.agreementOwed
        expect(await flags()).toBe(true)
        await accept(token, { ...all, version: '1' })
        expect((await cameras(token)).status).toBe(200)
        expect(await flags()).toBe(false)
        await publish('2')
        expect(await cameras(token)).toMatchObject(owed)
      },
    )

    test('the owner can look up why a user is rejected', async () => {
      await publish('1')
      const { accountId, token } = await api.addAccount({ resellerId: asking })
      const { userId } = await api.addSubUser(accountId, { rights: [], allCameras: true })
      await accept(token, { ...all, version: '1' })
      const { body } = await api.call(token, `GET users/${userId}/explain?operation=getCameras`)
      expect(body).toMatchObject({ allowed: false, steps: [{ check: 'scope' }, { by: 'owed', holds: false }] })
    })

    test('support and API keys of the user still have access', async () => {
      const { accountId } = await api.addAccount({ resellerId: asking })
      const openUntil = { helpdesk_expires_at: instant(api.now + 3_600_000) }
      await api.owner.plain.updateTable('accounts').set(openUntil).where('account_id', '=', accountId).execute()
      for (const kind of ['support', 'apiKey'] as const) {
        const token = await api.addToken({ accountId, userId: accountId }, kind)
        expect((await cameras(token)).status).toBe(200)
      }
    })
  })

  test('each user accepts only for themselves', async () => {
    await publish('1')
    const { token } = await api.addAccount({ resellerId: asking })
    const other = await api.addAccount({ resellerId: asking })
    await accept(token, { ...all, version: '1' })
    expect(await asked(other.token)).toMatchObject({ asked: true })
  })

  test.each([
    { isAdult: false },
    { isInUsOrCanada: false },
    { watchesNoChildren: false },
    { isAdult: undefined },
    { version: '' },
  ])('nothing is accepted with %j', async (over) => {
    const { token } = await api.addAccount({ resellerId: asking })
    expect(await accept(token, { ...all, version: '1', ...over })).toMatchObject({ status: 400, body: { code: 3 } })
    expect(await asked(token)).toMatchObject({ asked: true })
  })

  test("support and demo users aren't asked and can't accept", async () => {
    await publish('1')
    const { accountId } = await api.addAccount({ resellerId: asking })
    const openUntil = { helpdesk_expires_at: instant(api.now + 3_600_000) }
    await api.owner.plain.updateTable('accounts').set(openUntil).where('account_id', '=', accountId).execute()
    const support = await api.addToken({ accountId, userId: accountId }, 'support')
    const demo = await api.addAccount({ resellerId: asking, rights: ['demoUser'] })
    for (const token of [support, demo.token]) {
      expect(await asked(token)).toMatchObject({ asked: false, version: '1' })
      expect(await accept(token, { ...all, version: '1' })).toMatchObject({ status: 403, body: { code: 9 } })
    }
  })
})
