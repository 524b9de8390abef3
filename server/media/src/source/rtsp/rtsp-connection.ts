import { fail, ok, type Result } from '@sightline/platform/result'
import { afterReading } from '../after-reading.ts'
import { type CameraFault, fault, quoted } from '../camera-fault.ts'
import { type RtspAddress, rtspUrl } from './rtsp-address.ts'
import { type AuthChallenge, authorization, strongestChallenge } from './rtsp-authentication.ts'
import { parseStatus, RtspFraming, type RtspMessage } from './rtsp-framing.ts'
import type { RtspTransport, TransportOptions } from './rtsp-socket.ts'
import { openTransport } from './rtsp-transport.ts'
import type { Arrival } from './run-timeline.ts'

/** Basic authentication (`allowBasic`) reveals the password to everyone on the network path. */
export interface RtspConnectionOptions extends Omit<TransportOptions, 'receive' | 'ended'> {
  /** The bytes are good only during the call. A fault ends the connection. */
  readonly onPacket: (channel: number, bytes: Uint8Array, arrival: Arrival) => CameraFault | undefined
}

export interface RtspRequest {
  readonly method: string
  readonly target: RtspAddress
  readonly headers?: Readonly<Record<string, string>>
}

type Reply = Result<RtspMessage, CameraFault>

const USER_AGENT = 'Sightline'
/** First try, a response to the challenge, and one more for a nonce that has become stale meanwhile. */
const MAX_ATTEMPTS = 3
/** The unsent bytes after which a camera counts as not reading. */
const MAX_UNSENT_BYTES = 65_536

/** One RTSP connection: requests are answered by number, packets between them are handed on as they come. */
export class RtspConnection {
  readonly #options: RtspConnectionOptions
  readonly #framing: RtspFraming
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  readonly #ended = Promise.withResolvers<CameraFault>()
  #endedBy: CameraFault | undefined
  #transport: RtspTransport | undefined
  #sequence = 0
  #challenge: AuthChallenge | undefined
  #answersToChallenge = 0
  #arrival: Arrival = { wallClock: 0, monotonic: 0 }
  #location: string | undefined
  #speaksHttp = false
  #refusedStatus: number | undefined

  private constructor(options: RtspConnectionOptions) {
    this.#options = options
    this.#framing = new RtspFraming({
      packet: (channel, bytes) => {
        if (this.#endedBy !== undefined) return
        const packetFault = options.onPacket(channel, bytes, this.#arrival)
        if (packetFault !== undefined) this.end(packetFault)
      },
      message: (message) => this.#onMessage(message),
    })
  }

  /** Resolves with the reason when the connection has ended. */
  get ended(): Promise<CameraFault> {
    return this.#ended.promise
  }

  /** Where the last redirecting reply points to. */
  get location(): string | undefined {
    return this.#location
  }

  /** The status of the last reply that refused a request. */
  get refusedStatus(): number | undefined {
    return this.#refusedStatus
  }

  /** The camera's IP address. */
  get peer(): string {
    return this.#transport?.peer ?? ''
  }

  /** How the camera took the password in its last requests. */
  get authentication(): 'none' | 'basic' | 'digest' {
    return this.#challenge?.scheme ?? 'none'
  }

  /** SHA-256 of the camera's certificate; undefined without TLS. */
  get certificate(): Buffer | undefined {
    return this.#transport?.certificate
  }

  /** Whether it ended because the port answers in HTTP. */
  get speaksHttp(): boolean {
    return this.#speaksHttp
  }

  static async open(options: RtspConnectionOptions): Promise<Result<RtspConnection, CameraFault>> {
    const connection = new RtspConnection(options)
    const opened = await openTransport({
      ...options,
      receive: (bytes) => connection.#receive(bytes),
      ended: (reason) => connection.end(reason),
    })
    if (!opened.ok) return opened
    connection.#transport = opened.value
    return ok(connection)
  }

  /** Ends the connection; the first reason counts. */
  end(reason: CameraFault): void {
    this.#settle(reason)
    this.#transport?.destroy()
  }

  #settle(reason: CameraFault): void {
    if (this.#endedBy !== undefined) return
    this.#endedBy = reason
    for (const settle of this.#waiting.values()) settle(fail(reason))
    this.#waiting.clear()
    this.#ended.resolve(reason)
  }

  /** Sends a request and returns its reply with status 2xx, authenticating if needed. Any other status is a fault. */
  async request(request: RtspRequest): Promise<Reply> {
    let answered: AuthChallenge | undefined
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const reply = await this.#exchange(request)
      if (!reply.ok) return reply
      const status = parseStatus(reply.value) ?? 0
      if (status >= 200 && status < 300) return reply
      if (status !== 401) {
        this.#refusedStatus = status
        this.#location = reply.value.headers.get('location')?.[0]
        return fail(refusal(request.method, reply.value))
      }
      const challenge = this.#answerable(reply.value, answered)
      if (!challenge.ok) return challenge
      answered = challenge.value
      this.#challenge = answered
      this.#answersToChallenge = 0
    }
    return fail(wrongCredentials)
  }

  /** Sends one interleaved packet (RFC 2326 §10.12). */
  sendPacket(channel: number, bytes: Uint8Array): void {
    if (this.#endedBy !== undefined) return
    this.#transport?.write(Buffer.concat([Uint8Array.of(0x24, channel, bytes.length >> 8, bytes.length & 0xff), bytes]))
  }

  /** Sends a last request and ends the connection as soon as it is sent, without waiting for the reply. */
  leave(request: RtspRequest, reason: CameraFault): void {
    if (this.#endedBy !== undefined) return
    this.#send(request)
    this.#settle(reason)
    this.#transport?.finish()
  }

  /** The challenge to answer next, unless the previous one was answered and only the password can be wrong. */
  #answerable(reply: RtspMessage, answered: AuthChallenge | undefined): Result<AuthChallenge, CameraFault> {
    const challenge = strongestChallenge(reply.headers.get('www-authenticate') ?? [])
    if (challenge === undefined)
      return fail(fault('authenticationUnsupported', 'the camera requires an unsupported kind of authentication'))
    if (challenge.scheme === 'basic' && !this.#options.allowBasic) {
      return fail(
        fault(
          'authenticationUnsupported',
          'the camera supports only basic authentication, which sends the password in plain text',
        ),
      )
    }
    const isStale = challenge.scheme === 'digest' && challenge.stale
    const { credentials } = this.#options
    if (credentials === undefined || (answered !== undefined && !isStale)) return fail(wrongCredentials)
    return ok(challenge)
  }

  #exchange(request: RtspRequest): Promise<Reply> {
    if (this.#endedBy !== undefined) return Promise.resolve(fail(this.#endedBy))
    const { promise, resolve } = Promise.withResolvers<Reply>()
    const sequence = this.#send(request)
    const { replyTimeoutMs } = this.#options
    const timer = setTimeout(
      afterReading(() => {
        this.#waiting.delete(sequence)
        resolve(fail(fault('timeout', `no reply to ${request.method} within ${replyTimeoutMs} ms`)))
      }),
      replyTimeoutMs,
    )
    this.#waiting.set(sequence, (reply) => {
      clearTimeout(timer)
      resolve(reply)
    })
    return promise
  }

  #send({ method, target, headers = {} }: RtspRequest): number {
    const sequence = ++this.#sequence
    const uri = rtspUrl(target)
    const lines = [`${method} ${uri} RTSP/1.0`, `CSeq: ${sequence}`, `User-Agent: ${USER_AGENT}`]
    const { credentials } = this.#options
    if (this.#challenge !== undefined && credentials !== undefined) {
      const count = ++this.#answersToChallenge
      lines.push(`Authorization: ${authorization(this.#challenge, credentials, { method, uri, count })}`)
    }
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
    this.#transport?.write(`${lines.join('\r\n')}\r\n\r\n`)
    if ((this.#transport?.unsentBytes ?? 0) > MAX_UNSENT_BYTES)
      this.end(fault('closed', 'the camera no longer accepts requests'))
    return sequence
  }

  #receive(bytes: Uint8Array): void {
    if (this.#endedBy !== undefined) return
    this.#arrival = { wallClock: Date.now(), monotonic: performance.now() }
    const framingFault = this.#framing.feed(bytes)
    if (framingFault !== undefined) this.end(framingFault)
  }

  /** The camera's own requests (they exist, and are rare) are ignored, because nothing here depends on them. */
  #onMessage(message: RtspMessage): void {
    if (message.startLine.startsWith('HTTP/')) this.#endAsHttp(message.startLine)
    const status = parseStatus(message)
    if (status === undefined || status < 200) return
    const sequence = Number(message.headers.get('cseq')?.[0])
    const settle = this.#waiting.get(sequence)
    this.#waiting.delete(sequence)
    settle?.(ok(message))
  }

  #endAsHttp(startLine: string): void {
    this.#speaksHttp = true
    this.end(fault('badReply', `expected an RTSP reply, got ${quoted(startLine)}`))
  }
}

const wrongCredentials = fault('credentialsIncorrect', 'the camera rejected the user name and password')

/** What a status means that isn't an error of the protocol (RFC 2326 §11). */
const MEANINGS: Readonly<Record<number, CameraFault['kind']>> = {
  301: 'redirected',
  302: 'redirected',
  303: 'redirected',
  305: 'redirected',
  403: 'credentialsIncorrect',
  404: 'streamNotFound',
  453: 'busy',
  461: 'transportUnsupported',
  503: 'busy',
}

function refusal(method: string, reply: RtspMessage): CameraFault {
  const kind = MEANINGS[parseStatus(reply) ?? 0] ?? 'badReply'
  if (kind === 'credentialsIncorrect') return wrongCredentials
  return fault(kind, `the camera answered ${method} with ${quoted(reply.startLine)}`)
}
