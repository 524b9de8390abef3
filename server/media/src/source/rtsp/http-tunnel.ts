import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { fail, ok, type Result } from '@sightline/platform/result'
import { type CameraFault, fault, quoted } from '../camera-fault.ts'
import { type AuthChallenge, authorization, strongestChallenge } from './rtsp-authentication.ts'
import { type DialedSocket, finishSocket, type RtspTransport, type TransportOptions, watchEnd } from './rtsp-socket.ts'

/** What a camera said to the request that opens the way down. */
interface HttpHead {
  readonly status: number
  readonly startLine: string
  readonly challenges: readonly string[]
  /** Bytes that came after it. */
  readonly rest: Uint8Array
}

type Dial = () => Promise<Result<DialedSocket, CameraFault>>

const MAX_HEAD_BYTES = 16_384
const TYPE = 'application/x-rtsp-tunnelled'
/** Servers read on beyond it; without a length some refuse the request. */
const POST_LENGTH = 32_767

/**
 * RTSP over HTTP ("Tunneling QuickTime RTSP and RTP over HTTP", Apple 1999): the answer to a GET carries what the camera
 * sends; requests go base64 in the body of a POST. Both name the same cookie.
 */
export async function openHttpTunnel(
  options: TransportOptions,
  dial: Dial,
): Promise<Result<RtspTransport, CameraFault>> {
  const cookie = randomBytes(11).toString('hex')
  const first = await openDown(options, dial, { cookie, challenge: undefined })
  if (!first.ok) return first
  if (first.value.opened.status === 200) return await openUp(options, dial, first.value)
  first.value.down.socket.destroy()
  const challenge = answerable(first.value.opened, options)
  if (!challenge.ok) return challenge
  const second = await openDown(options, dial, { cookie, challenge: challenge.value })
  if (!second.ok) return second
  if (second.value.opened.status === 200) return await openUp(options, dial, second.value)
  second.value.down.socket.destroy()
  return fail(second.value.opened.status === 401 ? wrongCredentials : refusal(second.value.opened))
}

const wrongCredentials = fault('credentialsIncorrect', 'the camera rejected the user name and password')

interface Tunnel {
  readonly cookie: string
  readonly challenge: AuthChallenge | undefined
}

interface Opened extends Tunnel {
  readonly down: DialedSocket
  readonly opened: HttpHead
}

async function openDown(options: TransportOptions, dial: Dial, tunnel: Tunnel): Promise<Result<Opened, CameraFault>> {
  const down = await dial()
  if (!down.ok) return down
  const { socket } = down.value
  const answer = readHead(socket, options)
  socket.write(head('GET', { options, ...tunnel, lines: [`Accept: ${TYPE}`] }))
  const opened = await answer
  if (opened.ok) return ok({ ...tunnel, down: down.value, opened: opened.value })
  socket.destroy()
  return opened
}

async function openUp(
  options: TransportOptions,
  dial: Dial,
  { down, opened, cookie, challenge }: Opened,
): Promise<Result<RtspTransport, CameraFault>> {
  const up = await dial()
  if (!up.ok) {
    down.socket.destroy()
    return up
  }
  const { receive, ended } = options
  const sockets = [down.socket, up.value.socket]
  for (const socket of sockets) watchEnd(socket, ended)
  // Nothing that the camera answers to the POST matters.
  up.value.socket.resume()
  const lines = [`Content-Type: ${TYPE}`, `Content-Length: ${POST_LENGTH}`]
  up.value.socket.write(head('POST', { options, cookie, challenge, lines }))
  if (opened.rest.length > 0) receive(opened.rest)
  down.socket.on('data', receive)
  down.socket.resume()
  return ok({
    peer: down.socket.remoteAddress ?? '',
    certificate: down.certificate,
    get unsentBytes() {
      return up.value.socket.writableLength
    },
    write: (bytes) => void up.value.socket.write(Buffer.from(bytes).toString('base64')),
    destroy: () => sockets.forEach((socket) => void socket.destroy()),
    finish: () => sockets.forEach(finishSocket),
  })
}

interface Head extends Tunnel {
  readonly options: TransportOptions
  readonly lines: readonly string[]
}

function head(method: 'GET' | 'POST', { options, cookie, challenge, lines }: Head): string {
  const { address, credentials } = options
  const { path: uri, host, port } = address
  const isAnswered = challenge !== undefined && credentials !== undefined
  const request = { method, uri, count: method === 'GET' ? 1 : 2 }
  return [
    `${method} ${uri} HTTP/1.0`,
    `Host: ${host.includes(':') ? `[${host}]` : host}:${port}`,
    'User-Agent: Sightline',
    `x-sessioncookie: ${cookie}`,
    'Pragma: no-cache',
    'Cache-Control: no-cache',
    ...(isAnswered ? [`Authorization: ${authorization(challenge, credentials, request)}`] : []),
    ...lines,
    '\r\n',
  ].join('\r\n')
}

function refusal({ status, startLine }: HttpHead): CameraFault {
  if (status === 403) return wrongCredentials
  const meanings: Readonly<Record<number, CameraFault['kind']>> = { 404: 'streamNotFound', 503: 'busy' }
  const detail = `the camera answered a request for RTSP over HTTP with ${quoted(startLine)}`
  return fault(meanings[status] ?? 'transportUnsupported', detail)
}

/** The challenge of a refusal, if it can be answered. */
function answerable(opened: HttpHead, options: TransportOptions): Result<AuthChallenge, CameraFault> {
  if (opened.status !== 401) return fail(refusal(opened))
  if (options.credentials === undefined) return fail(wrongCredentials)
  const challenge = strongestChallenge(opened.challenges)
  if (challenge !== undefined && (challenge.scheme === 'digest' || options.allowBasic)) return ok(challenge)
  return fail(
    fault('authenticationUnsupported', 'the camera requires a kind of authentication that is unknown, or not allowed'),
  )
}

/** Reads the status and the header of the answer; the socket is paused afterwards. */
function readHead(
  socket: Socket,
  { replyTimeoutMs, signal }: TransportOptions,
): Promise<Result<HttpHead, CameraFault>> {
  const { promise, resolve } = Promise.withResolvers<Result<HttpHead, CameraFault>>()
  let bytes = Buffer.alloc(0)
  const late = () => resolve(fail(fault('timeout', `no reply to GET within ${replyTimeoutMs} ms`)))
  const abort = () => resolve(fail(fault('closed', 'stopped by the server')))
  const end = () => resolve(fail(fault('closed', 'the camera closed the connection')))
  const read = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    const at = bytes.indexOf('\r\n\r\n')
    if (at >= 0) resolve(parseHead(bytes.subarray(0, at).toString('latin1'), bytes.subarray(at + 4)))
    else if (bytes.length > MAX_HEAD_BYTES) resolve(fail(fault('badReply', 'expected the header of an HTTP reply')))
  }
  const timer = setTimeout(late, replyTimeoutMs)
  signal.addEventListener('abort', abort, { once: true })
  socket.on('data', read).on('end', end).on('close', end).on('error', end)
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    socket.pause()
    // The listener for errors stays: an error without one would end the process.
    socket.off('data', read).off('end', end).off('close', end)
  })
}

function parseHead(text: string, rest: Uint8Array): Result<HttpHead, CameraFault> {
  const [startLine = '', ...lines] = text.split('\r\n')
  const status = /^HTTP\/1\.\d (\d{3})/.exec(startLine)?.[1]
  if (status === undefined)
    return fail(fault('transportUnsupported', `expected an HTTP reply, got ${quoted(startLine)}`))
  const challenges = lines.flatMap((line) => /^www-authenticate:\s*(.+)$/i.exec(line)?.[1] ?? [])
  return ok({ status: Number(status), startLine, challenges, rest })
}
