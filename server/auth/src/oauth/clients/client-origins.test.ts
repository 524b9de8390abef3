import { manualClock } from '@sightline/platform/clock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import { clientOrigins } from './client-origins.ts'
import { removeClient } from './store.ts'

let under: AuthUnderTest
beforeAll(async () => {
  under = await openAuthUnderTest()
})
afterAll(() => under[Symbol.asyncDispose]())

test("the origins of a browser client's redirect addresses are allowed from registration to removal", async () => {
  const clock = manualClock(Date.now())
  const isClientOrigin = clientOrigins(under.database.db('auth'), clock)
  expect(await isClientOrigin('https://shop.example')).toBe(false)
  const redirectUris = ['https://shop.example/back', 'http://localhost:5173/']
  await under.addClient({ clientId: 'shop', kind: 'browser', redirectUris })
  await under.addClient({ clientId: 'server', redirectUris: ['https://server.example/back'] })
  clock.advance(5000)
  for (const origin of ['https://shop.example', 'http://localhost:5173'])
    expect(await isClientOrigin(origin)).toBe(true)
  for (const origin of ['http://shop.example', 'https://shop.example:8443', 'https://server.example', 'null', '']) {
    expect(await isClientOrigin(origin)).toBe(false)
  }
  await removeClient(under.database.db('owner'), 'shop')
  clock.advance(5000)
  expect(await isClientOrigin('https://shop.example')).toBe(false)
})
