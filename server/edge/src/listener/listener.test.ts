import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls, type SecureVersion } from 'node:tls'
import { selfSignedPair } from '@sightline/platform/certificate'
import { MS_PER_DAY } from '@sightline/platform/clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HttpListener, listen } from './index.ts'

const patience = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 10 }

/** Everything returned for a request that is never completed. */
async function answerTo(unfinished: string): Promise<string> {
  const listening = await listen(
    { host: '127.0.0.1', port: 0, keyPair: undefined, patience },
    { request: (req) => void req.resume(), upgrade: (_req, socket) => void socket.destroy(), trouble: () => undefined },
  )
  if (!listening.ok) throw new Error(listening.failure)
  const { port, close } = listening.value
  const socket = connect(port, '127.0.0.1', () => socket.write(unfinished))
  let answer = ''
  for await (const bytes of socket.setEncoding('utf8')) answer += bytes
  await close()
  return answer
}

test.each([
  ['headers', 'GET /rest/v2.4/cameras HTTP/1.1\r\nHost: x\r\nX-Slow: '],
  ['a body', 'POST /rest/v2.4/cameras HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{'],
])(
  '%s that arrive too slowly are answered with 408 and an API error, and the connection ends',
  async (_, unfinished) => {
    const [head = '', body = ''] = (await answerTo(unfinished)).split('\r\n\r\n', 2)
    expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nconnection: close/)
    expect(head).toContain('content-type: application/json; charset=utf-8')
    expect(JSON.parse(body)).toMatchObject({ code: 19, detail: expect.stringContaining('send it again') })
  },
)

describe('over TLS', () => {
  let listening: HttpListener
  beforeAll(async () => {
    const now = Date.now()
    const keyPair = selfSignedPair({ names: ['127.0.0.1'], notBefore: now - MS_PER_DAY, notAfter: now + MS_PER_DAY })
    const on = { request: () => undefined, upgrade: () => undefined, trouble: () => undefined }
    const started = await listen({ host: '127.0.0.1', port: 0, keyPair }, on)
    if (!started.ok) throw new Error(started.failure)
    listening = started.value
  })
  afterAll(() => listening.close())

  /** What is negotiated with a client that accepts these suites; undefined if nothing is. */
  async function agreed(maxVersion: SecureVersion, ciphers: string): Promise<string | undefined> {
    const { port } = listening
    const options = {
      port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      minVersion: 'TLSv1',
      maxVersion,
      ciphers,
    } as const
    const socket = connectTls(options)
    const isOpen = await once(socket, 'secureConnect').then(
      () => true,
      () => false,
    )
    const { standardName } = isOpen ? socket.getCipher() : {}
    socket.destroy()
    return standardName
  }

  test.each([
    ['TLSv1.3', 'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384', 'TLS_AES_256_GCM_SHA384'],
    ['TLSv1.2', 'ECDHE-ECDSA-AES128-GCM-SHA256:AES256-GCM-SHA384', 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'],
    [
      'TLSv1.2',
      'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384',
      'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
    ],
  ] as const)('%s with %s uses the strongest', async (version, ciphers, expected) => {
    expect(await agreed(version, ciphers)).toBe(expected)
  })

  test.each([
    ['TLSv1.2', 'ECDHE-ECDSA-AES256-SHA'],
    ['TLSv1.2', 'ECDHE-ECDSA-AES128-SHA256'],
    ['TLSv1.2', 'AES256-GCM-SHA384'],
    ['TLSv1.1', 'ECDHE-ECDSA-AES256-SHA:@SECLEVEL=0'],
  ] as const)(
    'a suite without forward secrecy or authenticated encryption is refused: %s with %s',
    async (version, ciphers) => {
      expect(await agreed(version, ciphers)).toBeUndefined()
    },
  )
})
