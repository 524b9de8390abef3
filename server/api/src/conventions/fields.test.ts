import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { streams } from '../streams/index.ts'
import { users } from '../users/index.ts'

describe.each(engines)('includeFields and excludeFields on %s', (_engine, open) => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({ slices: [cameras, streams, users], open })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  test('include or exclude the named fields of an object and of each list item', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    await api.addCamera(accountId, zoneId, 'Door')
    expect((await api.call(token, 'GET users/self?includeFields=firstName,lastName')).body).toEqual({
      firstName: 'Ada',
      lastName: 'Byron',
    })
    expect((await api.call(token, 'GET cameras?includeFields=name')).body).toEqual([{ name: 'Door' }])
    const rest = (await api.call(token, 'GET cameras?excludeFields=name,cameraId')).body
    expect(rest[0]).toMatchObject({ zoneId, accountId })
    expect(Object.keys(rest[0])).not.toContain('name')
    expect(Object.keys(rest[0])).not.toContain('cameraId')
  })

  test('dots reach into objects and lists', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    const streams = await api.call(token, `GET cameras/${cameraId}/streams?includeFields=streamId.value`)
    expect(streams.body).toEqual([{ streamId: { value: 0 } }])
    const others = await api.call(token, `GET cameras/${cameraId}/streams?excludeFields=urls.mseWss`)
    expect(others.body).toMatchObject([{ streamId: { value: 0 }, urls: {} }])
    expect(others.body[0].urls).not.toHaveProperty('mseWss')
    expect(others.body[0].urls).toHaveProperty('hlsHttp')
  })

  test('unknown names are ignored; using both parameters is refused with code 3', async () => {
    const { token } = await api.addAccount()
    const unknown = 'nothing,__proto__,constructor,firstName.x,.,,'
    expect((await api.call(token, `GET users/self?includeFields=email,${unknown}`)).body).toEqual({
      email: expect.any(String),
    })
    const whole = (await api.call(token, 'GET users/self')).body
    expect((await api.call(token, `GET users/self?excludeFields=${unknown}`)).body).toEqual(whole)
    expect((await api.call(token, 'GET users/self?includeFields=&excludeFields=')).body).toEqual(whole)
    const both = await api.call(token, 'GET users/self?includeFields=email&excludeFields=email')
    expect(both).toMatchObject({ status: 400, body: { code: 3, fields: [{ field: 'excludeFields' }] } })
    const long = await api.call(token, `GET users/self?includeFields=${'x'.repeat(2001)}`)
    expect(long).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test("a field that isn't in the contract can't be requested", async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    await api.addCamera(accountId, zoneId, 'Door')
    expect((await api.call(token, 'GET cameras?includeFields=address,password_sealed,name')).body).toEqual([
      { name: 'Door' },
    ])
  })
})
