import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type Simulator, startCameras } from '../simulator.ts'
import { testCamera } from '../testing/clips.ts'
import { RtspTestClient, readReport, readRtp } from '../testing/viewer.ts'

let simulator: Simulator | undefined
const viewers: RtspTestClient[] = []

async function startCamera(more: Partial<Parameters<typeof startCameras>[0]['cameras'][number]> = {}) {
  simulator = await startCameras({ cameras: [{ ...testCamera, ...more }] })
  const [camera] = simulator.cameras
  if (camera === undefined) throw new Error('no camera')
  return camera
}

async function connectTo(port: number): Promise<RtspTestClient> {
  const viewer = await RtspTestClient.connect(port)
  viewers.push(viewer)
  return viewer
}

async function watch(port: number, path: string, audio = false): Promise<RtspTestClient> {
  const viewer = await RtspTestClient.watching(port, path, testCamera, audio)
  viewers.push(viewer)
  return viewer
}

afterEach(async () => {
  for (const viewer of viewers.splice(0)) viewer.close()
  await simulator?.stop()
  simulator = undefined
})

describe('signing in', () => {
  test('OPTIONS needs no password and names the methods', async () => {
    const camera = await startCamera()
    const viewer = await connectTo(camera.address.rtspPort)
    const reply = await viewer.ask('OPTIONS', camera.rtspAddress('main'))
    expect(reply.status).toBe(200)
    expect(reply.headers.get('public')?.[0]).toBe(
      'OPTIONS, DESCRIBE, SETUP, PLAY, PAUSE, GET_PARAMETER, SET_PARAMETER, TEARDOWN',
    )
  })

  test('a stream is refused with a challenge when credentials are missing', async () => {
    const camera = await startCamera()
    const viewer = await connectTo(camera.address.rtspPort)
    const reply = await viewer.ask('DESCRIBE', camera.rtspAddress('main'))
    expect(reply.status).toBe(401)
    expect(reply.headers.get('www-authenticate')?.[0]).toMatch(
      /^Digest realm=".+", nonce=".+", algorithm=MD5, qop="auth"$/,
    )
  })

  test.each([
    { digestQop: 'auth', digestAlgorithms: ['MD5'] },
    { digestQop: 'none', digestAlgorithms: ['MD5'] },
    { digestQop: 'auth', digestAlgorithms: ['SHA-256'] },
  ] as const)(
    'digest $digestAlgorithms with qop $digestQop: the right password is accepted, a wrong password or name is refused',
    async (digest) => {
      const camera = await startCamera({ ...digest, digestAlgorithms: [...digest.digestAlgorithms] })
      const viewer = await connectTo(camera.address.rtspPort)
      const uri = camera.rtspAddress('main')
      expect((await viewer.signIn(uri, testCamera)).status).toBe(200)
      expect((await viewer.ask('DESCRIBE', uri, {}, { ...testCamera, password: 'wrong horse' })).status).toBe(401)
      expect((await viewer.ask('DESCRIBE', uri, {}, { ...testCamera, username: 'guest' })).status).toBe(401)
    },
  )

  test("a client that doesn't support qop can sign in when qop is offered", async () => {
    const camera = await startCamera()
    const viewer = await connectTo(camera.address.rtspPort)
    const uri = camera.rtspAddress('main')
    const [challenge = ''] = (await viewer.ask('DESCRIBE', uri)).headers.get('www-authenticate') ?? []
    viewer.answer(challenge.replace(', qop="auth"', ''))
    expect((await viewer.ask('DESCRIBE', uri, {}, testCamera)).status).toBe(200)
    expect((await viewer.ask('DESCRIBE', uri, {}, { ...testCamera, password: 'wrong horse' })).status).toBe(401)
  })

  test('a client may use either of two offered algorithms', async () => {
    const camera = await startCamera({ digestAlgorithms: ['SHA-256', 'MD5'] })
    const viewer = await connectTo(camera.address.rtspPort)
    const uri = camera.rtspAddress('main')
    const challenges = (await viewer.ask('DESCRIBE', uri)).headers.get('www-authenticate') ?? []
    expect(challenges).toHaveLength(2)
    for (const challenge of challenges) {
      viewer.answer(challenge)
      expect((await viewer.ask('DESCRIBE', uri, {}, testCamera)).status).toBe(200)
    }
  })

  test('a nonce from elsewhere is answered as stale', async () => {
    const camera = await startCamera()
    const viewer = await connectTo(camera.address.rtspPort)
    viewer.answer('Digest realm="Simulated Camera", nonce="19c2.0000", algorithm=MD5, qop="auth"')
    const reply = await viewer.ask('DESCRIBE', camera.rtspAddress('main'), {}, testCamera)
    expect(reply.status).toBe(401)
    expect(reply.headers.get('www-authenticate')?.[0]).toContain('stale=true')
  })
})

describe('description and setup', () => {
  test('the description lists both tracks with everything that a decoder needs', async () => {
    const camera = await startCamera()
    const viewer = await connectTo(camera.address.rtspPort)
    const reply = await viewer.signIn(camera.rtspAddress('main'), testCamera)
    expect(reply.headers.get('content-base')?.[0]).toBe(`${camera.rtspAddress('main')}/`)
    expect(reply.body).toMatch(/a=rtpmap:96 H264\/90000\r\n/)
    expect(reply.body).toMatch(
      /packetization-mode=1; profile-level-id=42c0[0-9a-f]{2}; sprop-parameter-sets=Z[^,]+,a[^\r]+\r\n/,
    )
    expect(reply.body).toMatch(/a=rtpmap:97 mpeg4-generic\/16000\/1\r\n/)
    expect(reply.body).toMatch(/mode=AAC-hbr; sizelength=13; indexlength=3; indexdeltalength=3; config=1408\r\n/)
  })

  test('UDP is refused with 461; TCP is used when the client offers it', async () => {
    const camera = await startCamera()
    const viewer = await connectTo(camera.address.rtspPort)
    const uri = camera.rtspAddress('main')
    await viewer.signIn(uri, testCamera)
    const setUp = (transport: string) => viewer.ask('SETUP', `${uri}/track1`, { Transport: transport }, testCamera)
    expect((await setUp('RTP/AVP;unicast;client_port=5000-5001')).status).toBe(461)
    expect((await setUp('RTP/AVP/UDP;unicast;client_port=5000-5001')).status).toBe(461)
    const taken = await setUp('RTP/AVP;unicast;client_port=5000-5001,RTP/AVP/TCP;unicast;interleaved=4-5')
    expect(taken.status).toBe(200)
    expect(taken.headers.get('transport')?.[0]).toMatch(/^RTP\/AVP\/TCP;unicast;interleaved=4-5;ssrc=[0-9A-F]{8};/)
  })

  test('wrong paths, methods, states and sessions return their own status', async () => {
    const camera = await startCamera()
    const viewer = await connectTo(camera.address.rtspPort)
    const uri = camera.rtspAddress('main')
    await viewer.signIn(uri, testCamera)
    const statusOf = async (method: string, path: string, headers = {}) =>
      (await viewer.ask(method, path, headers, testCamera)).status
    expect(await statusOf('DESCRIBE', uri.replace('/main', '/other'))).toBe(404)
    expect(await statusOf('PLAY', uri)).toBe(455)
    expect(await statusOf('RECORD', uri)).toBe(501)
    expect(await statusOf('SETUP', uri, { Transport: 'RTP/AVP/TCP;interleaved=0-1' })).toBe(459)
    expect(await statusOf('SETUP', `${uri}/track1`, { Transport: 'RTP/AVP/TCP;interleaved=0-1' })).toBe(200)
    expect(await statusOf('GET_PARAMETER', uri)).toBe(200)
    expect(await statusOf('PLAY', uri, { Session: 'somebody-elses' })).toBe(454)
  })

  test("anything that isn't RTSP ends the connection", async () => {
    const camera = await startCamera()
    const socket = connect(camera.address.rtspPort, '127.0.0.1')
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.write('GET / HTTP/1.1\r\nHost: camera\r\n\r\n')
    socket.resume()
    await closed
  })
})

describe('playing', () => {
  test('pictures arrive at their frame rate, begin with SPS, PPS and a key picture, and are numbered without gaps', async () => {
    const camera = await startCamera()
    const viewer = await watch(camera.address.rtspPort, '/main')
    await viewer.until(
      () => viewer.packets.filter((packet) => packet.channel === 0 && readRtp(packet).marker).length >= 20,
      '20 pictures',
    )
    const packets = viewer.packets.filter((packet) => packet.channel === 0).map(readRtp)
    expect(packets.slice(0, 3).map(({ payload }) => (payload[0] ?? 0) & 0x1f)).toEqual([7, 8, 28])
    for (const [at, packet] of packets.entries()) {
      const before = packets[at - 1]
      if (before === undefined) continue
      expect(packet.sequence).toBe((before.sequence + 1) & 0xff_ff)
      expect((packet.timestamp - before.timestamp + 2 ** 32) % 2 ** 32).toBe(before.marker ? 3600 : 0)
    }
    expect(new Set(packets.map(({ source }) => source)).size).toBe(1)
  })

  test('audio has its own channel, with one AAC frame per packet', async () => {
    const camera = await startCamera()
    const viewer = await watch(camera.address.rtspPort, '/main', true)
    const audio = () => viewer.packets.filter((packet) => packet.channel === 2).map(readRtp)
    await viewer.until(() => audio().length >= 10, '10 audio frames')
    for (const [at, { payload, timestamp, payloadType, marker }] of audio().entries()) {
      expect(payloadType).toBe(97)
      expect(marker).toBe(true)
      expect(payload.readUInt16BE(0)).toBe(16)
      expect(payload.readUInt16BE(2) >> 3).toBe(payload.length - 4)
      const before = audio()[at - 1]
      if (before !== undefined) expect((timestamp - before.timestamp + 2 ** 32) % 2 ** 32).toBe(1024)
    }
  })

  test('the sender report maps RTP time to the wall clock, and the picture of that time was sent then', async () => {
    const camera = await startCamera()
    const viewer = await watch(camera.address.rtspPort, '/main')
    await viewer.until(() => viewer.packets.some(({ channel }) => channel === 0), 'a picture')
    const [report] = viewer.packets.filter(({ channel }) => channel === 1)
    const [picture] = viewer.packets.filter(({ channel }) => channel === 0)
    if (report === undefined || picture === undefined) throw new Error('nothing received')
    const { wallClock, timestamp } = readReport(report)
    const sentAt = wallClock + ((readRtp(picture).timestamp - timestamp) | 0) / 90
    expect(Math.abs(sentAt - picture.at)).toBeLessThan(1000)
    expect(Math.abs(wallClock - Date.now())).toBeLessThan(10_000)
  })

  test('PAUSE stops the packets, PLAY resumes with a key picture, TEARDOWN ends the session', async () => {
    const camera = await startCamera()
    const viewer = await watch(camera.address.rtspPort, '/main')
    const uri = camera.rtspAddress('main')
    await viewer.until(() => viewer.packets.length > 5, 'packets')
    expect((await viewer.ask('PAUSE', uri, {}, testCamera)).status).toBe(200)
    const paused = viewer.packets.length
    expect((await viewer.ask('OPTIONS', uri)).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(viewer.packets).toHaveLength(paused)
    expect((await viewer.ask('PLAY', uri, {}, testCamera)).status).toBe(200)
    await viewer.until(() => viewer.packets.slice(paused).some(({ channel }) => channel === 0), 'more packets')
    const next = viewer.packets.slice(paused).find(({ channel }) => channel === 0)
    if (next === undefined) throw new Error('nothing received')
    expect((readRtp(next).payload[0] ?? 0) & 0x1f).toBe(7)
    expect((await viewer.ask('TEARDOWN', uri, {}, testCamera)).status).toBe(200)
    expect((await viewer.ask('PLAY', uri, {}, testCamera)).status).toBe(454)
  })

  test('a session without keep-alives ends; one with keep-alives continues', async () => {
    const camera = await startCamera({ sessionTimeoutSeconds: 0.4 })
    const [silent, careful] = await Promise.all([
      watch(camera.address.rtspPort, '/sub'),
      watch(camera.address.rtspPort, '/sub'),
    ])
    for (let i = 0; i < 8; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      await careful.ask('GET_PARAMETER', camera.rtspAddress('sub'), {}, testCamera)
    }
    expect(silent.closedBy).toBe('end')
    expect(careful.closedBy).toBe('nothing')
  })

  test('a second viewer of the same stream gets different numbers', async () => {
    const camera = await startCamera()
    const [one, two] = await Promise.all([
      watch(camera.address.rtspPort, '/main'),
      watch(camera.address.rtspPort, '/main'),
    ])
    const first = (viewer: RtspTestClient) => viewer.packets.find(({ channel }) => channel === 0)
    await one.until(() => first(one) !== undefined && first(two) !== undefined, 'a packet each')
    const [a, b] = [first(one), first(two)].map((packet) => packet && readRtp(packet))
    expect(a?.source).not.toBe(b?.source)
  })
})
