import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message as the browser has it after decrypting. */
export interface ReceivedPush {
  readonly text: string
  readonly headers: IncomingMessage['headers']
  /** The sender's claims, after its signature was verified. */
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub: string }
}

/** The subscription that a page sends to the server. */
export interface PushSubscriptionJson {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** A push service (RFC 8030) and the browsers behind it, on loopback and without TLS. */
export interface PushReceiver extends AsyncDisposable {
  readonly origin: string
  readonly messages: readonly ReceivedPush[]
  /** Another browser; its messages are for its own keys. */
  subscribe(): PushSubscriptionJson
  /** The reply from now on instead of 201; `hold` sends none. */
  answer(status: number | 'hold', headers?: Readonly<Record<string, string>>): void
  /** The number of requests, accepted or not. */
  readonly asked: () => number
}

export async function startPushReceiver(): Promise<PushReceiver> {
  const browsers = new Map<string, { readonly keys: ECDH; readonly auth: Buffer }>()
  const messages: ReceivedPush[] = []
  let reply: { status: number | 'hold'; headers: Readonly<Record<string, string>> } = { status: 201, headers: {} }
  let asked = 0
  const server = createServer(async (req, res) => {
    asked += 1
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    if (reply.status === 'hold') return
    const browser = browsers.get(req.url ?? '')
    if (reply.status === 201 && browser !== undefined) {
      messages.push({ text: decrypt(body, browser), headers: req.headers, claims: claimsOf(req) })
    }
    res.writeHead(browser === undefined ? 404 : reply.status, reply.headers).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    messages,
    asked: () => asked,
    subscribe() {
      const keys = createECDH('prime256v1')
      keys.generateKeys()
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(16).toString('hex')}`
      browsers.set(path, { keys, auth })
      const text = { p256dh: keys.getPublicKey().toString('base64url'), auth: auth.toString('base64url') }
      return { endpoint: `${origin}${path}`, keys: text }
    },
    answer(status, headers = {}) {
      reply = { status, headers }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Decrypts like a browser (RFC 8291 §3.4, RFC 8188 §2), implemented independently so that our errors show. */
export function decrypt(body: Buffer, browser: { readonly keys: ECDH; readonly auth: Buffer }): string {
  const salt = body.subarray(0, 16)
  const sender = body.subarray(21, 21 + (body[20] ?? 0))
  const record = body.subarray(21 + sender.length)
  const hkdf = (secret: Buffer, given: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, given, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.keys.getPublicKey(), sender])
  const secret = hkdf(browser.keys.computeSecret(sender), browser.auth, info, 32)
  const key = hkdf(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = hkdf(secret, salt, 'Content-Encoding: nonce\0', 12)
  const cipher = createDecipheriv('aes-128-gcm', key, nonce, { authTagLength: 16 }).setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('the last record does not end as one')
  return padded.subarray(0, end).toString('utf8')
}

/** @throws if the signature isn't the sender's (RFC 8292). */
function claimsOf(req: IncomingMessage): ReceivedPush['claims'] {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(\S+)$/.exec(req.headers.authorization ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const by = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), by, Buffer.from(signature, 'base64url'))) {
    throw new Error('the signature is not the sender’s')
  }
  return JSON.parse(Buffer.from(claims, 'base64url').toString())
}
