import { createHash, randomBytes } from 'node:crypto'
import { XMLParser } from 'fast-xml-parser'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SimulatedCamera } from '../camera.ts'
import { type Simulator, startCameras } from '../simulator.ts'
import { testCamera, testClips } from '../testing/clips.ts'
import { authorize } from '../testing/viewer.ts'

let simulator: Simulator
let camera: SimulatedCamera

async function start(clips: Parameters<typeof startCameras>[0]['cameras'][number]['clips'] = testClips): Promise<void> {
  simulator = await startCameras({ cameras: [{ ...testCamera, name: 'Dock & yard', clips }] })
  const [first] = simulator.cameras
  if (first === undefined) throw new Error('no camera')
  camera = first
}

beforeEach(() => start())
afterEach(() => simulator.stop())

const WSSE = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss'

function token(password: string, created = new Date().toISOString()): string {
  const nonce = randomBytes(16)
  const digest = createHash('sha1').update(nonce).update(created).update(password).digest('base64')
  return (
    `<wsse:Security xmlns:wsse="${WSSE}-wssecurity-secext-1.0.xsd" xmlns:wsu="${WSSE}-wssecurity-utility-1.0.xsd"><wsse:UsernameToken>` +
    `<wsse:Username>admin</wsse:Username><wsse:Password Type="${WSSE}-username-token-profile-1.0#PasswordDigest">${digest}</wsse:Password>` +
    `<wsse:Nonce>${nonce.toString('base64')}</wsse:Nonce><wsu:Created>${created}</wsu:Created></wsse:UsernameToken></wsse:Security>`
  )
}

const soap = (body: string, header = ''): string =>
  '<?xml version="1.0"?><e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope" xmlns:tt="http://www.onvif.org/ver10/schema" ' +
  'xmlns:tds="http://www.onvif.org/ver10/device/wsdl" xmlns:trt="http://www.onvif.org/ver10/media/wsdl">' +
  `<e:Header>${header}</e:Header><e:Body>${body}</e:Body></e:Envelope>`

const deviceService = () => `http://127.0.0.1:${camera.address.onvifPort}/onvif/device_service`

async function post(xml: string, headers: Record<string, string> = {}) {
  const response = await fetch(deviceService(), { method: 'POST', body: xml, headers })
  return { status: response.status, headers: response.headers, xml: await response.text() }
}

const ask = (body: string, password: string = testCamera.password) => post(soap(body, token(password)))

interface ToldProfile {
  readonly '@_token': string
  readonly VideoEncoderConfiguration: {
    readonly Resolution: unknown
    readonly RateControl: { readonly FrameRateLimit: number }
    readonly Encoding: string
  }
}

const parse = (xml: string) => new XMLParser({ removeNSPrefix: true, ignoreAttributes: false }).parse(xml).Envelope.Body

describe('authentication', () => {
  test('the camera’s time needs no credentials', async () => {
    const reply = await post(soap('<tds:GetSystemDateAndTime/>'))
    expect(reply.status).toBe(200)
    const { Date: date, Time: time } = parse(reply.xml).GetSystemDateAndTimeResponse.SystemDateAndTime.UTCDateTime
    const told = Date.UTC(date.Year, date.Month - 1, date.Day, time.Hour, time.Minute, time.Second)
    expect(Math.abs(told - Date.now())).toBeLessThan(3000)
  })

  test('everything else is refused with a challenge when credentials are missing', async () => {
    const reply = await post(soap('<tds:GetDeviceInformation/>'))
    expect(reply.status).toBe(401)
    expect(reply.headers.get('www-authenticate')).toMatch(/^Digest /)
    expect(reply.xml).toContain('ter:NotAuthorized')
  })

  test('a token with a wrong password is a NotAuthorized fault', async () => {
    const reply = await ask('<tds:GetDeviceInformation/>', 'wrong horse')
    expect(reply.status).toBe(400)
    expect(parse(reply.xml).Fault.Code).toEqual({ Value: 's:Sender', Subcode: { Value: 'ter:NotAuthorized' } })
  })

  test('a token made with another clock is refused, and accepted once the camera’s clock is off by the same amount', async () => {
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
    const request = () => post(soap('<tds:GetScopes/>', token(testCamera.password, hourAgo)))
    expect((await request()).status).toBe(400)
    await camera.fault({ kind: 'clock-jump', byMs: -3_600_000 })
    expect((await request()).status).toBe(200)
  })

  test('HTTP digest works instead of a token', async () => {
    const challenge = (await post(soap('<tds:GetScopes/>'))).headers.get('www-authenticate') ?? ''
    const authorization = authorize(challenge, 'POST', '/onvif/device_service', testCamera)
    expect((await post(soap('<tds:GetScopes/>'), { authorization })).status).toBe(200)
    const wrong = authorize(challenge, 'POST', '/onvif/device_service', { ...testCamera, password: 'wrong horse' })
    expect((await post(soap('<tds:GetScopes/>'), { authorization: wrong })).status).toBe(401)
  })

  test('the fault wrong-password blocks both ways to authenticate', async () => {
    await camera.fault({ kind: 'wrong-password' })
    expect((await ask('<tds:GetScopes/>')).status).toBe(400)
    await camera.heal()
    expect((await ask('<tds:GetScopes/>')).status).toBe(200)
  })
})

describe('what it reports', () => {
  test('maker, model and serial number', async () => {
    const reply = parse((await ask('<tds:GetDeviceInformation/>')).xml).GetDeviceInformationResponse
    expect(reply).toMatchObject({ Manufacturer: 'Sightline', Model: 'Simulated Camera', FirmwareVersion: '1.0.0' })
  })

  test('its MAC address', async () => {
    const reply = parse((await ask('<tds:GetNetworkInterfaces/>')).xml).GetNetworkInterfacesResponse
    expect(reply.NetworkInterfaces.Info.HwAddress).toBe(testCamera.mac)
  })

  test('its services, with both calls', async () => {
    const { Capabilities } = parse(
      (await ask('<tds:GetCapabilities><tds:Category>All</tds:Category></tds:GetCapabilities>')).xml,
    ).GetCapabilitiesResponse
    expect(Capabilities.Device.XAddr).toBe(deviceService())
    const { Service } = parse((await ask('<tds:GetServices/>')).xml).GetServicesResponse
    const named = Service.map((one: { XAddr: string }) => one.XAddr)
    expect(named).toEqual(
      expect.arrayContaining([deviceService(), Capabilities.Media.XAddr, Capabilities.Events.XAddr]),
    )
  })

  test('its name in its scopes', async () => {
    const { Scopes } = parse((await ask('<tds:GetScopes/>')).xml).GetScopesResponse
    expect(Scopes.map((one: { ScopeItem: string }) => one.ScopeItem)).toContain(
      'onvif://www.onvif.org/name/Dock%20%26%20yard',
    )
  })

  test('two profiles that match their clips, and the address of each stream', async () => {
    const { Profiles } = parse((await ask('<trt:GetProfiles/>')).xml).GetProfilesResponse
    const told = Profiles.map((profile: ToldProfile) => [
      profile['@_token'],
      profile.VideoEncoderConfiguration.Resolution,
      profile.VideoEncoderConfiguration.RateControl.FrameRateLimit,
      profile.VideoEncoderConfiguration.Encoding,
    ])
    expect(told).toEqual([
      ['main', { Width: 1920, Height: 1080 }, 25, 'H264'],
      ['sub', { Width: 640, Height: 360 }, 10, 'H264'],
    ])
    for (const stream of ['main', 'sub'] as const) {
      const asked = `<trt:GetStreamUri><trt:StreamSetup/><trt:ProfileToken>${stream}</trt:ProfileToken></trt:GetStreamUri>`
      const { MediaUri } = parse((await ask(asked)).xml).GetStreamUriResponse
      expect(MediaUri.Uri).toBe(camera.rtspAddress(stream))
    }
  })

  test('an unknown profile and an unknown call return the faults that ONVIF names', async () => {
    const noProfile = await ask('<trt:GetStreamUri><trt:ProfileToken>third</trt:ProfileToken></trt:GetStreamUri>')
    expect(noProfile.status).toBe(400)
    expect(noProfile.xml).toContain('ter:NoProfile')
    const noCall = await ask('<tds:GetSystemLog/>')
    expect(noCall.status).toBe(500)
    expect(noCall.xml).toContain('ter:ActionNotSupported')
  })

  test('without a snapshot file, a request for one returns ActionNotSupported', async () => {
    const reply = await ask('<trt:GetSnapshotUri><trt:ProfileToken>main</trt:ProfileToken></trt:GetSnapshotUri>')
    expect(reply.xml).toContain('ter:ActionNotSupported')
  })

  test('with a snapshot file, its address is returned, and the picture needs a password', async () => {
    await simulator.stop()
    // Any file serves: the simulator hands it out as it is.
    await start({ ...testClips, snapshot: testClips.audio })
    const reply = await ask('<trt:GetSnapshotUri><trt:ProfileToken>main</trt:ProfileToken></trt:GetSnapshotUri>')
    const uri = new URL(parse(reply.xml).GetSnapshotUriResponse.MediaUri.Uri)
    const refused = await fetch(uri)
    expect(refused.status).toBe(401)
    const authorization = authorize(refused.headers.get('www-authenticate') ?? '', 'GET', uri.pathname, testCamera)
    const given = await fetch(uri, { headers: { authorization } })
    expect(given.headers.get('content-type')).toBe('image/jpeg')
    expect((await given.arrayBuffer()).byteLength).toBeGreaterThan(1000)
  })
})

test.each([
  ['no XML', 'hello'],
  ['no envelope', '<a/>'],
  [
    'a document type',
    `<!DOCTYPE e [<!ENTITY x "y">]>${soap('<tds:GetSystemDateAndTime/>').replace('<?xml version="1.0"?>', '')}`,
  ],
  ['too long', soap(`<tds:GetScopes>${'x'.repeat(70_000)}</tds:GetScopes>`)],
])('%s is refused as malformed', async (_, xml) => {
  const reply = await post(xml)
  expect(reply.status).toBe(400)
  expect(reply.xml).toContain('ter:WellFormed')
})
