import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { CameraConnect } from '../camera-address.ts'
import { type CameraFault, fault, quoted } from '../camera-fault.ts'
import { type CertificatePin, secureCamera } from '../camera-tls.ts'

export interface HttpAddress {
  /** IPv6 without brackets. */
  readonly host: string
  readonly port: number
  /** Begins with a slash; the query belongs to it. */
  readonly path: string
  /** Over TLS. */
  readonly isSecure?: boolean
}

export interface HttpGet {
  readonly address: HttpAddress
  readonly authorization: string | undefined
  readonly connect: CameraConnect
  readonly pin: CertificatePin
  readonly timeoutMs: number
  readonly maxReplyBytes: number
  readonly signal: AbortSignal
}

export interface HttpPost extends HttpGet {
  readonly body: string
  /** The content type of SOAP 1.2 names the action (RFC 3902). */
  readonly action: string
}

export interface HttpReply {
  readonly status: number
  /** Of a camera that asks for HTTP authentication. */
  readonly challenges: readonly string[]
  readonly location: string | undefined
  readonly bytes: Buffer
  /** SHA-256 of the certificate, over TLS. */
  readonly certificate: Buffer | undefined
}

/**
 * Posts a message over a checked connection of its own; replies of any status come back. `timeoutMs` covers connecting and the
 * whole reply, so that a camera that sends a byte now and then keeps nothing waiting.
 */
export const postToCamera = ({ body, action, ...post }: HttpPost): Promise<Result<HttpReply, CameraFault>> =>
  askCamera(post, {
    method: 'POST',
    body,
    headers: {
      'Content-Type': `application/soap+xml; charset=utf-8; action="${action}"`,
      'Content-Length': Buffer.byteLength(body),
    },
  })

/** Downloads something, in the same way; `PUT` without a body asks the camera to do something. */
export const getFromCamera = (get: HttpGet, method: 'GET' | 'PUT' = 'GET'): Promise<Result<HttpReply, CameraFault>> =>
  askCamera(get, { method, body: undefined, headers: method === 'PUT' ? { 'Content-Length': 0 } : {} })

export interface HttpUpload extends HttpGet {
  readonly sizeBytes: number
  readonly parts: AsyncIterable<Buffer>
  /** `application/octet-stream` by default. */
  readonly contentType?: string | undefined
}

/** Posts a file, part by part, so that it is never in memory as a whole. */
export const uploadToCamera = ({
  sizeBytes,
  parts,
  contentType = 'application/octet-stream',
  ...post
}: HttpUpload): Promise<Result<HttpReply, CameraFault>> =>
  askCamera(post, {
    method: 'POST',
    body: parts,
    headers: { 'Content-Type': contentType, 'Content-Length': sizeBytes },
  })

interface HttpMessage {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly body: string | undefined | AsyncIterable<Buffer>
  readonly headers: Readonly<Record<string, string | number>>
}

async function askCamera(post: HttpGet, message: HttpMessage): Promise<Result<HttpReply, CameraFault>> {
  const { address, timeoutMs } = post
  const signal = AbortSignal.any([post.signal, AbortSignal.timeout(timeoutMs)])
  const connected = await post.connect({ host: address.host, port: address.port, signal })
  if (!connected.ok) return connected
  try {
    if (address.isSecure !== true) return await exchange(post, message, connected.value, signal)
    const secured = await secureCamera(connected.value, { host: address.host, pin: post.pin, signal })
    if (!secured.ok) return secured
    const reply = await exchange(post, message, secured.value.socket, signal)
    return reply.ok ? ok({ ...reply.value, certificate: secured.value.certificate }) : reply
  } catch (error) {
    if (signal.aborted) return fail(fault('timeout', `no reply within ${timeoutMs} ms`))
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    return fail(fault('badReply', `expected an HTTP reply, got ${quoted(reason)}`))
  } finally {
    connected.value.destroy()
  }
}

async function exchange(
  { address, authorization, maxReplyBytes }: HttpGet,
  { method, body, headers }: HttpMessage,
  socket: Socket,
  signal: AbortSignal,
): Promise<Result<HttpReply, CameraFault>> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = request({
    method,
    host: address.host,
    port: address.port,
    path: address.path,
    signal,
    createConnection: () => socket,
    // Cameras send header lines that no browser would accept.
    insecureHTTPParser: true,
    headers: {
      ...headers,
      Connection: 'close',
      'User-Agent': 'Sightline',
      ...(authorization === undefined ? {} : { Authorization: authorization }),
    },
  })
  sent.once('response', resolve)
  // The listener stays: an error without one would end the process.
  sent.on('error', reject)
  if (body === undefined || typeof body === 'string') sent.end(body)
  // A camera that refuses a file replies before it has all of it; the reply is what counts.
  else pipeline(body, sent).catch(reject)
  return await readReply(await promise, maxReplyBytes)
}

async function readReply(response: IncomingMessage, maxBytes: number): Promise<Result<HttpReply, CameraFault>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.length
    if (bytes > maxBytes) return fail(fault('badReply', `the reply is larger than ${maxBytes} bytes`))
    chunks.push(chunk)
  }
  return ok({
    status: response.statusCode ?? 0,
    challenges: response.headersDistinct['www-authenticate'] ?? [],
    location: response.headers.location,
    bytes: Buffer.concat(chunks),
    certificate: undefined,
  })
}
