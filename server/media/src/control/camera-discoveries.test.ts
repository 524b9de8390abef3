import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { launchSimulator } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { DiscoveryState } from '@sightline/contract/media-plane'
import { selfSignedPair } from '@sightline/platform/certificate'
import { createLogger } from '@sightline/platform/log'
import { describe, expect, test } from 'vitest'
import { checkedConnect, isWithinNetworks, listAddresses, type SweptPorts } from '../source/index.ts'
import { cameraDiscoveries } from './camera-discoveries.ts'

const log = createLogger({ level: 'silent', format: 'json', name: 'test' })
const LOOPBACK = '127.0.0.0/8'
const ACCOUNT = 7

const openFor = (
  networks: readonly string[],
  interfaces: readonly string[] = ['127.0.0.1'],
  ports: SweptPorts = { onvif: [], rtsp: [] },
) =>
  cameraDiscoveries({
    networks: {
      refresh: async () => undefined,
      networksOf: () => networks,
      connectOf: () => checkedConnect({ allowed: networks }),
    },
    log,
    interfaces: () => interfaces,
    ports,
  })

/** Other simulators of this machine answer too, so the cameras of a run have unique addresses. */
const run = randomBytes(4).toString('hex')
const macOf = (last: string): string => `02${run}${last}`.replaceAll(/(..)(?=.)/g, '$1:')

async function simulators(count: number) {
  const clips = await sceneClips('car-park')
  return launchSimulator({
    discovery: { interfaceAddress: '127.0.0.1' },
    cameras: Array.from({ length: count }, (_, at) => ({
      name: `Door ${at}`,
      mac: macOf(String(10 + at)),
      username: 'viewer',
      password: 'right',
      clips,
    })),
  })
}

const byAddress = (one: { readonly address: string }, other: { readonly address: string }) =>
  one.address.localeCompare(other.address)

/** A web server that is no camera: it answers everything with a page. */
async function webServer(host: string, port: number, tls?: { readonly cert: string; readonly key: string }) {
  let requests = 0
  const answer = (_: IncomingMessage, response: ServerResponse) => {
    requests++
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Printer</body></html>')
  }
  const server = tls === undefined ? createServer(answer) : createSecureServer(tls, answer)
  await new Promise<void>((listening) => server.listen(port, host, listening))
  return {
    get requests() {
      return requests
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

async function whenDone(discoveries: ReturnType<typeof openFor>): Promise<DiscoveryState> {
  for (;;) {
    const state = await discoveries.ask({ accountId: ACCOUNT })
    if (state.kind === 'state' && state.search === 'done') return state
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('a search in networks of this machine', () => {
  test('finds what answers: where it is, what it says of itself; the list is there while it runs', async () => {
    await using simulator = await simulators(3)
    await using discoveries = openFor([LOOPBACK])
    expect(await discoveries.ask({ accountId: ACCOUNT })).toMatchObject({ search: 'none', networks: [LOOPBACK] })
    expect(await discoveries.ask({ accountId: ACCOUNT, start: { sweep: null, connect: false } })).toMatchObject({
      search: 'running',
    })
    expect(await discoveries.ask({ accountId: ACCOUNT, start: { sweep: null, connect: false } })).toEqual({
      kind: 'busy',
    })
    const { cameras, progress } = await whenDone(discoveries)
    const ours = cameras.filter(({ ethMacAddress }) => ethMacAddress.startsWith(macOf('10').slice(0, 14)))
    const expected = simulator.cameras.map(({ name, mac, onvifPort }) => ({
      address: '127.0.0.1',
      port: onvifPort,
      https: false,
      protocol: 'onvif',
      foundBy: 'announcement',
      name,
      brand: 'Sightline',
      model: 'Simulated Camera',
      ethMacAddress: mac,
    }))
    expect(ours.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual(expected)
    expect(progress).toBe(100)
  })

  test('a camera outside the networks of the account is not found, even if it answers', async () => {
    await using _ = await simulators(1)
    await using discoveries = openFor(['10.1.2.0/24'])
    await discoveries.ask({ accountId: ACCOUNT, start: { sweep: null, connect: false } })
    expect(await whenDone(discoveries)).toMatchObject({ cameras: [], networks: ['10.1.2.0/24'] })
  })

  test('each address of a network that is swept is asked', async () => {
    await using _ = await simulators(1)
    // No interface: only the sweep asks.
    await using discoveries = openFor([LOOPBACK], [])
    await discoveries.ask({ accountId: ACCOUNT, start: { sweep: '127.0.0.0/29', connect: false } })
    const { cameras } = await whenDone(discoveries)
    expect(cameras.map(({ ethMacAddress }) => ethMacAddress)).toContain(macOf('10'))
  })

  test('cameras that don’t announce themselves are found by their addresses: by ONVIF, otherwise by RTSP; other servers are not listed', async () => {
    const clips = await sceneClips('car-park')
    const login = { username: 'viewer', password: 'right', clips }
    await using quiet = await launchSimulator({
      host: '127.0.0.66',
      cameras: [{ name: 'Quiet', mac: macOf('66'), ...login }],
    })
    const [{ onvifPort = 0, rtspPort = 0 } = {}] = quiet.cameras
    await using plain = await launchSimulator({
      host: '127.0.0.67',
      cameras: [{ name: 'Plain', mac: macOf('67'), rtspPort, ...login }],
    })
    await using web = await webServer('127.0.0.68', onvifPort)
    await using discoveries = openFor([LOOPBACK], [], { onvif: [onvifPort], rtsp: [rtspPort] })
    await discoveries.ask({ accountId: ACCOUNT, start: { sweep: '127.0.0.64/29', connect: true } })
    const { cameras, progress } = await whenDone(discoveries)
    const nothing = { https: false, name: '', brand: '', model: '', ethMacAddress: '', foundBy: 'address' }
    expect(cameras.filter(({ foundBy }) => foundBy === 'address').toSorted(byAddress)).toEqual([
      { address: '127.0.0.66', port: onvifPort, protocol: 'onvif', ...nothing },
      { address: '127.0.0.67', port: rtspPort, protocol: 'rtsp', ...nothing },
    ])
    expect([progress, plain.cameras.length, web.requests > 0]).toEqual([100, 1, true])
  })

  test('cameras that speak TLS only are found by their addresses too; a web server over TLS is not listed', async () => {
    const clips = await sceneClips('car-park')
    const login = { username: 'viewer', password: 'right', clips }
    const validity = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 600_000 }
    const tls = selfSignedPair({ names: ['127.0.0.1'], ...validity })
    await using quiet = await launchSimulator({
      host: '127.0.0.74',
      cameras: [{ name: 'Secure', mac: macOf('74'), onvifTls: tls, rtspTls: tls, ...login }],
    })
    const [{ onvifPort = 0, rtspPort = 0 } = {}] = quiet.cameras
    await using _streams = await launchSimulator({
      host: '127.0.0.75',
      cameras: [{ name: 'Streams', mac: macOf('75'), rtspTls: tls, rtspPort, ...login }],
    })
    await using web = await webServer('127.0.0.76', onvifPort, tls)
    await using discoveries = openFor([LOOPBACK], [], {
      onvif: [],
      rtsp: [],
      onvifTls: [onvifPort],
      rtspTls: [rtspPort],
    })
    await discoveries.ask({ accountId: ACCOUNT, start: { sweep: '127.0.0.72/29', connect: true } })
    const { cameras } = await whenDone(discoveries)
    expect(cameras.filter(({ foundBy }) => foundBy === 'address').toSorted(byAddress)).toMatchObject([
      { address: '127.0.0.74', port: onvifPort, protocol: 'onvif', https: true },
      { address: '127.0.0.75', port: rtspPort, protocol: 'rtsp', https: true },
    ])
    expect(web.requests).toBeGreaterThan(0)
  })

  test('a search by addresses can be canceled: nothing more is asked, and what it found stays', async () => {
    await using discoveries = openFor([LOOPBACK], [], { onvif: [9], rtsp: [9] })
    await discoveries.ask({ accountId: ACCOUNT, start: { sweep: '127.9.0.0/22', connect: true } })
    expect(await discoveries.ask({ accountId: ACCOUNT, cancel: true })).toMatchObject({ kind: 'state' })
    // It would take a minute.
    expect(await whenDone(discoveries)).toMatchObject({ search: 'done', cameras: [] })
  })

  test('a network that is not the account’s is not swept, nor one with more than 1024 addresses', async () => {
    await using discoveries = openFor(['10.1.0.0/16'])
    const start = (sweep: string) => discoveries.ask({ accountId: ACCOUNT, start: { sweep, connect: false } })
    expect(await start('10.2.0.0/24')).toEqual({ kind: 'notAllowed' })
    expect(await start('10.0.0.0/8')).toEqual({ kind: 'notAllowed' })
    expect(await start('10.1.0.0/16')).toEqual({ kind: 'tooLarge' })
  })
})

test('the addresses of a network are those of its hosts', () => {
  expect(listAddresses('192.168.1.65/30')).toEqual(['192.168.1.65', '192.168.1.66'])
  expect(listAddresses('192.168.1.64/32')).toEqual(['192.168.1.64'])
  expect(listAddresses('10.0.0.0/22')).toHaveLength(1022)
  expect(listAddresses('10.0.0.0/21')).toBeUndefined()
  expect(listAddresses('fd00::/120')).toBeUndefined()
  expect(isWithinNetworks('10.1.2.0/24', ['10.1.0.0/16'])).toBe(true)
  expect(isWithinNetworks('10.1.0.0/16', ['10.1.2.0/24'])).toBe(false)
})
