import { type IncomingMessage, request } from 'node:http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { CameraConnect } from '../camera-address.ts'
import { type CameraFault, fault, quoted } from '../camera-fault.ts'
import { authorization, type CameraCredentials, strongestChallenge } from '../rtsp/rtsp-authentication.ts'

export interface HttpAddress {
  /** IPv6 without brackets. */
  readonly host: string
  readonly port: number
  /** Begins with a slash; the query belongs to it. */
  readonly path: string
}

export interface SoapPost {
  readonly address: HttpAddress
  readonly body: string
  readonly credentials: CameraCredentials | undefined
  readonly connect: CameraConnect
  readonly signal: AbortSignal
}

/** A camera with many profiles sends a few hundred KiB. */
const MAX_REPLY_BYTES = 2 * 1024 * 1024
const REPLY_TIMEOUT_MS = 5000

interface HttpReply {
  readonly status: number
  readonly challenges: readonly string[]
  readonly text: string
}

/**
 * Posts a SOAP message over a checked connection and returns the text of the reply, even for a fault (status 400, 500).
 * A camera that requires HTTP digest in addition to the token in the message gets it. Redirects are not followed.
 */
export async function postSoap(post: SoapPost): Promise<Result<string, CameraFault>> {
  const first = await exchange(post, undefined)
  if (!first.ok || first.value.status !== 401) return textOf(first)
  const challenge = strongestChallenge(first.value.challenges)
  if (challenge === undefined || challenge.scheme === 'basic' || post.credentials === undefined)
    return fail(wrongCredentials)
  const answer = authorization(challenge, post.credentials, { method: 'POST', uri: post.address.path, count: 1 })
  const second = await exchange(post, answer)
  return second.ok && second.value.status === 401 ? fail(wrongCredentials) : textOf(second)
}

export const wrongCredentials = fault('credentialsIncorrect', 'the camera rejected the user name and password')

function textOf(reply: Result<HttpReply, CameraFault>): Result<string, CameraFault> {
  if (!reply.ok) return reply
  const { status, text } = reply.value
  // ONVIF sends faults with 400 or 500.
  if (status === 200 || status === 400 || status === 500) return ok(text)
  return fail(status === 403 ? wrongCredentials : fault('badReply', `expected a SOAP reply, got status ${status}`))
}

async function exchange(
  post: SoapPost,
  authorizationHeader: string | undefined,
): Promise<Result<HttpReply, CameraFault>> {
  const { address, body, connect } = post
  const signal = AbortSignal.any([post.signal, AbortSignal.timeout(REPLY_TIMEOUT_MS)])
  const connected = await connect({ host: address.host, port: address.port, signal })
  if (!connected.ok) return connected
  const socket = connected.value
  try {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const sent = request({
      method: 'POST',
      host: address.host,
      port: address.port,
      path: address.path,
      signal,
      createConnection: () => socket,
      headers: {
        'Content-Type': 'application/soap+xml; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
        Connection: 'close',
        ...(authorizationHeader === undefined ? {} : { Authorization: authorizationHeader }),
      },
    })
    sent.once('response', resolve)
    sent.once('error', reject)
    sent.end(body)
    return await readReply(await promise)
  } catch (error) {
    if (signal.aborted) return fail(fault('timeout', `no reply within ${REPLY_TIMEOUT_MS} ms`))
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    return fail(fault('badReply', `expected an HTTP reply, got ${quoted(reason)}`))
  } finally {
    socket.destroy()
  }
}

async function readReply(response: IncomingMessage): Promise<Result<HttpReply, CameraFault>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.length
    if (bytes > MAX_REPLY_BYTES) return fail(fault('badReply', `the reply is larger than ${MAX_REPLY_BYTES} bytes`))
    chunks.push(chunk)
  }
  const challenges = response.headersDistinct['www-authenticate'] ?? []
  return ok({ status: response.statusCode ?? 0, challenges, text: Buffer.concat(chunks).toString('utf8') })
}
