import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fetchToken } from '../signed-in.ts'

/** The trusted proxy; any other local address is a client that connects directly. */
const PROXY = '127.0.0.2'
const CLIENT = '127.0.0.3'

let product: RunningProduct
let token = ''
beforeAll(async () => {
  product = await startProduct({
    cameras: false,
    environment: {
      SIGHTLINE_TRUSTED_PROXIES: `${PROXY}/32`,
      SIGHTLINE_ACCESS_LOG: 'all',
      SIGHTLINE_SIGN_INS_PER_SECOND: '1',
    },
  })
  token = await fetchToken(product.origin, 'owner@demo.example')
})
afterAll(() => product?.[Symbol.asyncDispose]())

interface Asking {
  /** Source address of the connection. */
  readonly peer: string
  readonly forwardedFor: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const ask = (path: string, { peer, forwardedFor, method = 'GET', headers = {}, body }: Asking) =>
  new Promise<number>((resolve, reject) => {
    const { port } = product
    const sent = { host: `127.0.0.1:${port}`, 'x-forwarded-for': forwardedFor, ...headers }
    request({ host: '127.0.0.1', port, path, method, localAddress: peer, agent: false, headers: sent }, (res) =>
      res.resume().on('end', () => resolve(res.statusCode ?? 0)),
    )
      .on('error', reject)
      .end(body)
  })

interface Key {
  readonly clientId: string
  readonly clientSecret: string
}

test('an API key’s allowed addresses are checked against what a trusted proxy saw, never against a forged header', async () => {
  const wanted = { name: 'Alarm', scopes: ['read'], allowedAddresses: ['198.51.100.0/24'] }
  const { body: key } = await callApi<Key>(product.origin, token, 'POST apiKeys', wanted)
  const tokenFor = (peer: string, forwardedFor: string) =>
    ask('/oauth/token', {
      peer,
      forwardedFor,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${key.clientId}:${key.clientSecret}`).toString('base64')}`,
      },
      body: 'grant_type=client_credentials',
    })
  expect(await tokenFor(PROXY, '198.51.100.7')).toBe(200)
  expect(await tokenFor(CLIENT, '198.51.100.7')).toBe(400)
  // Entries to the left of the proxy's own may be forged.
  expect(await tokenFor(PROXY, '198.51.100.7, 203.0.113.5')).toBe(400)
  expect(await tokenFor(PROXY, `203.0.113.5, 198.51.100.7, ${PROXY}`)).toBe(200)
})

test('the audit log and the access log record the peer’s address, or what a trusted proxy saw', async () => {
  const signInAs = (peer: string, forwardedFor: string) =>
    ask('/rest/v2.4/users/self/details', {
      peer,
      forwardedFor,
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ firstName: `Olivia${forwardedFor.replaceAll(/[^0-9]/g, '').slice(-1)}` }),
    })
  expect(await signInAs(CLIENT, '6.6.6.1')).toBe(200)
  expect(await signInAs(PROXY, '6.6.6.2, 198.51.100.8')).toBe(200)
  const { body } = await callApi<unknown>(product.origin, token, 'GET auditLogs?limit=20')
  const log = JSON.stringify(body)
  expect(log).toContain(CLIENT)
  expect(log).toContain('198.51.100.8')
  expect(log).not.toContain('6.6.6.')
  await expect.poll(product.output).toContain('198.51.100.8')
  expect(product.output()).not.toContain('6.6.6.')
})

test('sign-ins are limited per peer, whatever its headers say, and per client behind a trusted proxy', async () => {
  const begin = (peer: string, forwardedFor: string) => ask('/oauth/authorize', { peer, forwardedFor })
  const many = (peer: string) =>
    Promise.all(Array.from({ length: 130 }, (_, index) => begin(peer, `192.0.2.${index + 1}`)))
  expect(await many(CLIENT)).toContain(429)
  expect(await many(PROXY)).not.toContain(429)
})
