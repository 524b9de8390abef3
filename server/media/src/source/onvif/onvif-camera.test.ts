import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { checkedConnect } from '../camera-address.ts'
import { askOnvif } from './onvif-camera.ts'
import { parseReply, usernameToken } from './soap.ts'
import { parseXml } from './xml.ts'

const connect = checkedConnect({ allowed: ['127.0.0.0/8'] })
const credentials = { username: 'admin', password: 'correct horse' }

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

type Replies = Readonly<Record<string, string>>

const wrap = (body: string): string =>
  `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>${body}</s:Body></s:Envelope>`

const replies = (port: number, host = '127.0.0.1'): Replies => ({
  GetSystemDateAndTime:
    '<d:GetSystemDateAndTimeResponse xmlns:d="x"><d:SystemDateAndTime><UTCDateTime><Time><Hour>10</Hour><Minute>0</Minute><Second>0</Second></Time>' +
    '<Date><Year>2001</Year><Month>2</Month><Day>3</Day></Date></UTCDateTime></d:SystemDateAndTime></d:GetSystemDateAndTimeResponse>',
  GetDeviceInformation:
    '<GetDeviceInformationResponse><Manufacturer>M</Manufacturer><Model>One &amp; Only</Model></GetDeviceInformationResponse>',
  GetCapabilities: `<GetCapabilitiesResponse><Capabilities><Media><XAddr>http://${host}:${port}/media?x=1</XAddr></Media></Capabilities></GetCapabilitiesResponse>`,
  GetProfiles:
    '<GetProfilesResponse><Profiles token="a&quot;b"><Name>main</Name><VideoEncoderConfiguration><Encoding>H264</Encoding>' +
    '<Resolution><Width>1920</Width><Height>1080</Height></Resolution><RateControl><FrameRateLimit>25</FrameRateLimit></RateControl>' +
    '</VideoEncoderConfiguration></Profiles><Profiles token="io"><Name>no video</Name></Profiles></GetProfilesResponse>',
  GetStreamUri: `<GetStreamUriResponse><MediaUri><Uri>rtsp://admin:secret@${host}:8554/live?p=1&amp;q=2</Uri></MediaUri></GetStreamUriResponse>`,
})

interface Seen {
  readonly path: string
  readonly body: string
}

/** A camera with these replies; `text` may replace the whole reply. */
async function camera(change: (port: number) => Replies, text?: string) {
  const seen: Seen[] = []
  const listening = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ path: request.url ?? '', body })
    const given = change((listening.address() as AddressInfo).port)
    const operation = Object.keys(given).find((name) => body.includes(`:${name} `))
    response.end(text ?? wrap(given[operation ?? ''] ?? ''))
  })
  server = listening
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const address = { host: '127.0.0.1', port, path: '/onvif/device_service' }
  const asked = await askOnvif({ address, credentials, connect, signal: AbortSignal.timeout(10_000) })
  return { asked, seen, port }
}

describe('a camera', () => {
  test('reports what it is and where its streams are', async () => {
    const { asked, seen } = await camera(replies)
    expect(asked).toMatchObject({
      ok: true,
      value: {
        manufacturer: 'M',
        model: 'One & Only',
        firmwareVersion: '',
        profiles: [
          {
            token: 'a"b',
            name: 'main',
            encoding: 'H264',
            width: 1920,
            height: 1080,
            framesPerSecond: 25,
            hasAudio: false,
            stream: { host: '127.0.0.1', port: 8554, path: '/live?p=1&q=2' },
          },
        ],
      },
    })
    expect(seen.map(({ path }) => path)).toEqual([
      ...Array(4).fill('/onvif/device_service'),
      '/media?x=1',
      '/media?x=1',
      // Its MAC address, asked last.
      '/onvif/device_service',
    ])
    expect(seen.at(-2)?.body).toContain('ProfileToken>a&quot;b</')
  })

  test('with a wrong clock gets tokens with its own time', async () => {
    const { seen } = await camera(replies)
    expect(seen[0]?.body).not.toContain('UsernameToken')
    expect(seen[1]?.body).toMatch(/<u:Created>2001-02-03T10:00:/)
    expect(JSON.stringify(seen)).not.toContain('correct horse')
  })

  test('that names other hosts is contacted only at its checked address', async () => {
    const { asked, seen } = await camera((port) => replies(port, 'evil.example'))
    expect(asked).toMatchObject({ ok: true, value: { profiles: [{ stream: { host: '127.0.0.1', port: 8554 } }] } })
    expect(seen.length).toBe(7)
  })

  const soapFault = (subcode: string): string =>
    `<Fault><Code><Value>Sender</Value><Subcode><Value>ter:${subcode}</Value></Subcode></Code><Reason><Text>no</Text></Reason></Fault>`

  test.each([
    ['a wrong password', { GetDeviceInformation: soapFault('NotAuthorized') }, 'credentialsIncorrect'],
    ['another error', { GetDeviceInformation: soapFault('ActionNotSupported') }, 'badReply'],
    ['no media service', { GetCapabilities: '<GetCapabilitiesResponse/>' }, 'noVideo'],
    [
      'a media service without http',
      {
        GetCapabilities:
          '<GetCapabilitiesResponse><Capabilities><Media><XAddr>file:///etc/passwd</XAddr></Media></Capabilities></GetCapabilitiesResponse>',
      },
      'noVideo',
    ],
    ['no profiles', { GetProfiles: '<GetProfilesResponse/>' }, 'noVideo'],
    [
      'a stream without rtsp',
      {
        GetStreamUri: '<GetStreamUriResponse><MediaUri><Uri>http://127.0.0.1/</Uri></MediaUri></GetStreamUriResponse>',
      },
      'badReply',
    ],
  ])('with %s gets its own error', async (_, change, kind) => {
    const { asked } = await camera((port) => ({ ...replies(port), ...change }))
    expect(asked).toMatchObject({ ok: false, failure: { kind } })
    expect(JSON.stringify(asked)).not.toMatch(/secret|correct horse/)
  })

  test.each([
    ['no XML', 'hello'],
    [
      'a document type',
      '<!DOCTYPE x [<!ENTITY a "b">]><Envelope><Body><GetSystemDateAndTimeResponse/></Body></Envelope>',
    ],
    ['a very deep document', '<a>'.repeat(200_000)],
    ['a very long reply', 'x'.repeat(3_000_000)],
    ['nothing', ''],
  ])('with %s is a bad reply', async (_, text) => {
    const { asked } = await camera(replies, text)
    expect(asked).toMatchObject({ ok: false, failure: { kind: 'badReply' } })
  })

  test("that doesn't exist is unreachable, and refused if its address isn't allowed", async () => {
    const address = { host: '127.0.0.1', port: 1, path: '/' }
    const signal = AbortSignal.timeout(10_000)
    expect(await askOnvif({ address, credentials, connect, signal })).toMatchObject({
      failure: { kind: 'unreachable' },
    })
    const strict = checkedConnect({ allowed: [] })
    expect(await askOnvif({ address, credentials, connect: strict, signal })).toMatchObject({
      failure: { kind: 'addressRefused' },
    })
  })
})

test('gets a token with the digest of nonce, time and password, and not the password', () => {
  // The example of the ONVIF Application Programmer's Guide §6.1.1.3.
  const nonce = Buffer.from('LKqI6G/AikKCQrN0zqZFlg==', 'base64')
  const token = usernameToken({ username: 'user', password: 'userpassword' }, new Date('2010-09-16T07:50:45Z'), nonce)
  expect(token).toContain('<u:Created>2010-09-16T07:50:45Z</u:Created>')
  expect(token).toContain('>tuOSpGlFlIXsozq4HFNeeGeFLEI=<')
  expect(token).not.toContain('userpassword')
})

test('any text is parsed as a reply, a fault or nothing', () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '<Envelope>',
      '<Body>',
      '<Fault>',
      '<GetProfilesResponse>',
      '</Body>',
      '</Envelope>',
      '<__proto__>',
      '<constructor/>',
      '&#0;',
      '&lt;',
      '<![CDATA[',
    ),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      parseXml(parts.join(''))
      parseReply(`<Envelope><Body>${parts.join('')}</Body></Envelope>`, 'GetProfiles')
    }),
    { numRuns: 2000, seed: 1 },
  )
})
