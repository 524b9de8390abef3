import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { subUsers } from '../sub-users/index.ts'
import { userDetails } from './index.ts'

describe('users/self/details', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({ slices: [subUsers, userDetails] })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  test('changes only the named fields; an empty text or null clears a field', async () => {
    const { token } = await api.addAccount()
    const given = { companyName: 'Corner Shop', country: 'NL', phone: '+31 20 123 45 67', city: 'Delft' }
    expect((await api.call(token, 'PATCH users/self/details', given)).body).toMatchObject({
      ...given,
      language: 'en',
    })
    const cleared = await api.call(token, 'PATCH users/self/details', { phone: '', city: null })
    expect(cleared.body).toMatchObject({ companyName: 'Corner Shop', country: 'NL', phone: null, city: null })
  })

  test.each([
    [{ phone: '1' }, 'Telephone should be 2-64 characters'],
    [{ phone: 'call me' }, 'This is not a valid phone number'],
    [{ companyName: 'X' }, 'Please enter a valid Company name'],
    [{ companyName: '<b>' }, 'Please enter a valid Company name'],
    [{ country: 'XX' }, 'Please choose a country from the list'],
    [{ country: 'nl' }, 'Please choose a country from the list'],
    // Nothing is translated in the page here (specification §1).
    [{ language: 'aa' }, 'Please choose a language from the list'],
  ])('%j is refused with code 3 and the message of the field', async (body, message) => {
    const { token } = await api.addAccount()
    expect(await api.call(token, 'PATCH users/self/details', body)).toMatchObject({
      status: 400,
      body: { code: 3, fields: [{ message }] },
    })
  })

  test("read-only fields such as the time zone are shown but can't be changed here", async () => {
    const { token } = await api.addAccount()
    const body = { timeZone: 'Asia/Tokyo', userId: 1, language: 'nl' }
    expect((await api.call(token, 'PATCH users/self/details', body)).body).toMatchObject({
      timeZone: 'UTC',
      language: 'nl',
    })
  })

  test("details can't change if the reseller prevents it (code 9)", async () => {
    const { token } = await api.addAccount({ preventEditUserDetails: true })
    expect((await api.call(token, 'PATCH users/self/details', { language: 'nl' })).body).toMatchObject({ code: 9 })
  })
})
