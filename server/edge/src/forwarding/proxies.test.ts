import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProxySettings, trustedProxies } from './index.ts'

const networks = ['10.0.0.0/8', '2001:db8:1::/48']

interface Asked {
  readonly peer?: string
  readonly host?: string
  readonly headers: Readonly<Record<string, string>>
}

const sourceOf = (settings: Partial<ProxySettings>, { peer = '10.0.0.1', host = 'inner.example', headers }: Asked) =>
  trustedProxies({ networks, header: 'x-forwarded', ...settings }).sourceOf({
    headers: { host, ...headers },
    socket: { remoteAddress: peer },
  } as unknown as IncomingMessage)

const addressBy = (header: ProxySettings['header'], value: string, peer = '10.0.0.1') =>
  sourceOf({ header }, { peer, headers: { [header === 'forwarded' ? 'forwarded' : 'x-forwarded-for']: value } }).address

describe("a peer that isn't a trusted proxy", () => {
  test.each(['198.51.100.9', '11.0.0.1', '::ffff:198.51.100.9', '2001:db8:2::1', '::1', '127.0.0.1'])(
    '%s: its forwarded headers are ignored',
    (peer) => {
      const headers = { 'x-forwarded-for': '6.6.6.6', 'x-forwarded-host': 'blue.example', forwarded: 'for=6.6.6.6' }
      for (const header of ['x-forwarded', 'forwarded'] as const) {
        expect(sourceOf({ header }, { peer, headers })).toEqual({
          address: peer.replace('::ffff:', ''),
          host: 'inner.example',
          isForwarded: false,
        })
      }
    },
  )
  test('is every peer without a setting', () => {
    const headers = { 'x-forwarded-for': '6.6.6.6' }
    expect(sourceOf({ networks: [] }, { headers })).toMatchObject({ address: '10.0.0.1', isForwarded: false })
  })
})

describe("the right-most address that isn't a trusted proxy is the client's", () => {
  test.each([
    ['one hop', '198.51.100.7', '198.51.100.7'],
    ['a forged address before it', '6.6.6.6, 198.51.100.7', '198.51.100.7'],
    ['several proxies', '6.6.6.6, 198.51.100.7, 10.0.0.3, 10.0.0.2', '198.51.100.7'],
    ['a forged proxy', '198.51.100.7, 10.9.9.9, 203.0.113.5, 10.0.0.2', '203.0.113.5'],
    ['only proxies: the farthest', '10.0.0.4, 10.0.0.3', '10.0.0.4'],
    ['IPv4 mapped into IPv6', '6.6.6.6, ::ffff:198.51.100.7, ::ffff:10.0.0.2', '198.51.100.7'],
    ['IPv6', '2001:db8:2::7, 2001:db8:1::2', '2001:db8:2::7'],
    ['ports', '[2001:db8:2::7]:5000, 10.0.0.2:81', '2001:db8:2::7'],
    ['spaces and empty elements', ' , 198.51.100.7 ,,10.0.0.2 , ', '198.51.100.7'],
    ['no address: the proxy before it', '198.51.100.7, unknown', '10.0.0.1'],
    ['no address behind a proxy', '198.51.100.7, <script>, 10.0.0.2', '10.0.0.2'],
    ['nothing', '', '10.0.0.1'],
    ["a number that isn't an address", '198.51.100.7, 999.1.1.1', '10.0.0.1'],
  ])('X-Forwarded-For with %s', (_, header, address) => {
    expect(addressBy('x-forwarded', header)).toBe(address)
    expect(addressBy('x-forwarded', header, '::ffff:10.0.0.1')).toBe(address)
  })
  test.each([
    ['one hop', 'for=198.51.100.7;proto=https', '198.51.100.7'],
    ['several', 'for=6.6.6.6, for=198.51.100.7;by=10.0.0.3, for=10.0.0.2', '198.51.100.7'],
    ['IPv6 with a port', 'for="[2001:db8:2::7]:4711", For="[2001:db8:1::2]"', '2001:db8:2::7'],
    ['an IPv4 port', 'for="198.51.100.7:4711"', '198.51.100.7'],
    ['a hidden client', 'for=198.51.100.7, for=_hidden, for=10.0.0.2', '10.0.0.2'],
    ['an unknown one', 'for=unknown', '10.0.0.1'],
    ['no address', 'proto=https', '10.0.0.1'],
    ['an open quote from the client', 'for="6.6.6.6, for=198.51.100.7', '198.51.100.7'],
    ["something that isn't a header", 'a b c', '10.0.0.1'],
  ])('Forwarded with %s', (_, header, address) => {
    expect(addressBy('forwarded', header)).toBe(address)
  })
  test("headers that the proxies aren't configured to write are ignored, because the client may have written them", () => {
    const headers = { 'x-forwarded-for': '198.51.100.7', forwarded: 'for=6.6.6.6;host=blue.example' }
    expect(sourceOf({}, { headers })).toMatchObject({ address: '198.51.100.7', host: 'inner.example' })
    expect(sourceOf({ header: 'forwarded' }, { headers })).toMatchObject({ address: '6.6.6.6', host: 'blue.example' })
  })
})

describe('the requested host', () => {
  test.each([
    ['its own', { 'x-forwarded-for': '198.51.100.7' }, 'inner.example'],
    ['that of the proxy', { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-host': 'blue.example' }, 'blue.example'],
    [
      'that of the farthest trusted proxy, not a forged one',
      { 'x-forwarded-for': '6.6.6.6, 198.51.100.7, 10.0.0.2', 'x-forwarded-host': 'evil.example, blue.example, in' },
      'blue.example',
    ],
    ['one without addresses', { 'x-forwarded-host': 'blue.example' }, 'blue.example'],
  ])('is %s', (_, headers, host) => {
    expect(sourceOf({}, { headers }).host).toBe(host)
  })
  test('is in the same element as the address in Forwarded', () => {
    const headers = { forwarded: 'for=6.6.6.6;host=evil.example, for=198.51.100.7;host=blue.example, for=10.0.0.2' }
    expect(sourceOf({ header: 'forwarded' }, { headers })).toMatchObject({
      address: '198.51.100.7',
      host: 'blue.example',
    })
  })
})

describe('on a dual-stack connection', () => {
  const seen: ReturnType<ReturnType<typeof trustedProxies>['sourceOf']>[] = []
  const proxies = trustedProxies({ networks: ['127.0.0.2/32'], header: 'x-forwarded' })
  const server = createServer((req, res) => {
    seen.push(proxies.sourceOf(req))
    res.end()
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '::', resolve)))
  afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  const ask = (localAddress: string) =>
    new Promise<void>((resolve, reject) => {
      const { port } = server.address() as AddressInfo
      const headers = { 'x-forwarded-for': ['6.6.6.6', '198.51.100.7'] }
      request({ host: '127.0.0.1', port, localAddress, headers, agent: false }, (res) =>
        res.resume().on('end', resolve),
      )
        .on('error', reject)
        .end()
    })
  test("a proxy's IPv4-mapped address counts as its IPv4 address, and a repeated header is one list", async () => {
    await ask('127.0.0.2')
    await ask('127.0.0.3')
    expect(seen).toMatchObject([
      { address: '198.51.100.7', isForwarded: true },
      { address: '127.0.0.3', isForwarded: false },
    ])
  })
})
