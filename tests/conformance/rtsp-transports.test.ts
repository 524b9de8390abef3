/** RTSP over TLS and over HTTP: our client against our simulator, and against the third-party gst-rtsp-server. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import { selfSignedPair } from '@sightline/platform/certificate'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type SimulatedCamera, type SimulatorInput, startCameras } from '../../camera-simulator/src/index.ts'
import type { StreamMessage } from '../../server/media/src/frame/index.ts'
import {
  type CameraFault,
  checkedConnect,
  newCounters,
  type PlayRtspOptions,
  parseRtspAddress,
  playRtsp,
} from '../../server/media/src/source/index.ts'
import { type GstCamera, hasGst, startGstCamera } from './gst-camera.ts'

const clip = (name: string): string => new URL(`../../camera-simulator/test-clips/${name}`, import.meta.url).pathname
const credentials = { username: 'admin', password: 'correct horse' }
const settings = {
  name: 'Yard',
  mac: '00:1b:44:11:3a:b7',
  ...credentials,
  clips: {
    main: { path: clip('main.h264'), framesPerSecond: 25 },
    sub: { path: clip('sub.h264'), framesPerSecond: 10 },
    audio: clip('audio.aac'),
  },
}
const connect = checkedConnect({ allowed: ['127.0.0.0/8'] })
const tls = () =>
  selfSignedPair({ names: ['127.0.0.1'], notBefore: Date.now() - 60_000, notAfter: Date.now() + 600_000 })

const cleanup = new AsyncDisposableStack()
const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]()
})
afterAll(() => cleanup.disposeAsync())

async function start(more: Partial<SimulatorInput['cameras'][number]>): Promise<SimulatedCamera> {
  const simulator = await startCameras({ cameras: [{ ...settings, ...more }] })
  open.push(simulator)
  const [camera] = simulator.cameras
  if (camera === undefined) throw new Error('no camera')
  return camera
}

interface Played {
  readonly ended: CameraFault
  readonly messages: readonly StreamMessage[]
  readonly certificate: Buffer | undefined
}

/** Until there are 30 pictures, or it fails. */
async function play(url: string, options: Partial<PlayRtspOptions> = {}): Promise<Played> {
  const address = parseRtspAddress(url)
  if (!address.ok) throw new Error(address.failure.detail)
  const stop = new AbortController()
  const messages: StreamMessage[] = []
  let certificate: Buffer | undefined
  let pictures = 0
  const ended = await playRtsp({
    address: address.value,
    credentials,
    connect,
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(20_000)]),
    publish: (message) => {
      messages.push(message)
      if (message.kind === 'unit' && message.unit.kind === 'video' && ++pictures === 30) stop.abort()
    },
    counters: newCounters(),
    onCertificate: (sha256) => (certificate = sha256),
    ...options,
  })
  return { ended, messages, certificate }
}

const picturesOf = ({ messages }: Played): number =>
  messages.filter((message) => message.kind === 'unit' && message.unit.kind === 'video').length
const isWhole = (played: Played): boolean => played.messages[0]?.kind === 'tracks' && picturesOf(played) >= 30

describe('over TLS', () => {
  test('picture and sound come whole, and the certificate is known', async () => {
    const camera = await start({ rtspTls: tls() })
    expect(camera.rtspAddress('main')).toMatch(/^rtsps:/)
    const played = await play(camera.rtspAddress('main'))
    expect(isWhole(played)).toBe(true)
    expect(played.messages.some((message) => message.kind === 'unit' && message.unit.kind === 'audio')).toBe(true)
    expect(played.certificate).toHaveLength(32)
    const again = await play(camera.rtspAddress('main'), { pin: { sha256: played.certificate } })
    expect(isWhole(again)).toBe(true)
  })

  test('a camera with another certificate than before gets no request, and so no credentials', async () => {
    const asked: Buffer[] = []
    const server = createSecureServer(tls(), (socket) =>
      socket.on('data', (bytes) => asked.push(bytes)).on('error', () => undefined),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { ended } = await play(`rtsps://127.0.0.1:${port}/main`, { pin: { sha256: Buffer.alloc(32, 1) } })
    expect(ended.kind).toBe('certificateChanged')
    expect(asked).toEqual([])
    server.close()
  })

  test('a port without TLS is a fault with a sentence', async () => {
    const camera = await start({})
    const { ended } = await play(camera.rtspAddress('main').replace('rtsp:', 'rtsps:'))
    expect(['badReply', 'closed', 'timeout']).toContain(ended.kind)
    expect(ended.detail).toMatch(/TLS/)
  })
})

describe('over HTTP', () => {
  test.each([false, true])('the port answers in HTTP, and the client follows; over TLS: %s', async (isSecure) => {
    const camera = await start({ rtspOverHttp: true, ...(isSecure ? { rtspTls: tls() } : {}) })
    const habits = {}
    const played = await play(camera.rtspAddress('main'), { habits })
    expect(isWhole(played)).toBe(true)
    expect(habits).toMatchObject({ usesHttp: true })
    expect(isWhole(await play(camera.rtspAddress('sub'), { habits }))).toBe(true)
  })

  test('what was learned is forgotten when the camera speaks RTSP again', async () => {
    const camera = await start({})
    const habits = { usesHttp: true }
    await play(camera.rtspAddress('main'), { habits, timeouts: { replyMs: 500 } })
    expect(habits).toEqual({})
    expect(isWhole(await play(camera.rtspAddress('main'), { habits }))).toBe(true)
  })

  test('a digest challenge of the web server is answered; basic is not, unless it is allowed', async () => {
    const seen: string[] = []
    let challenge = 'Digest realm="camera", nonce="abc", qop="auth"'
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.on('data', (bytes) => {
        seen.push(bytes.toString('latin1'))
        const answer = bytes.includes('Authorization:')
          ? '404 Not Found'
          : `401 Unauthorized\r\nWWW-Authenticate: ${challenge}`
        socket.end(`HTTP/1.0 ${answer}\r\n\r\n`)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `rtsp://127.0.0.1:${(server.address() as AddressInfo).port}/live`
    const ask = async (options: Partial<PlayRtspOptions> = {}) =>
      (await play(url, { habits: { usesHttp: true }, ...options })).ended.kind
    expect(await ask()).toBe('streamNotFound')
    expect(seen[1]).toMatch(/^GET \/live HTTP\/1\.0\r\n(?:.|\s)*Authorization: Digest username="admin"/)
    challenge = 'Basic realm="camera"'
    expect(await ask()).toBe('authenticationUnsupported')
    expect(seen.join('')).not.toContain('Authorization: Basic')
    expect(await ask({ allowBasic: true })).toBe('streamNotFound')
    expect(seen.join('')).toContain('Authorization: Basic')
    server.close()
  })
})

describe.runIf(hasGst)('gst-rtsp-server', () => {
  let gst: GstCamera
  beforeAll(async () => {
    gst = cleanup.use(await startGstCamera())
  })

  test('its tunnel is understood', async () => {
    const played = await play(`${gst.url}/h264aac`, { habits: { usesHttp: true } })
    expect(isWhole(played)).toBe(true)
  })

  test('two of its streams play at the same time, one of them over HTTP', async () => {
    const both = [play(`${gst.url}/h264aac`), play(`${gst.url}/h264pcma`, { habits: { usesHttp: true } })]
    for (const played of await Promise.all(both)) expect(isWhole(played)).toBe(true)
  })
})
