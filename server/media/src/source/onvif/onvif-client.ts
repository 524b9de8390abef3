import { Readable } from 'node:stream'
import { fail, ok, type Result } from '@sightline/platform/result'
import * as z from 'zod/mini'
import type { CameraConnect } from '../camera-address.ts'
import { type CameraFault, fault, quoted } from '../camera-fault.ts'
import type { CameraHabits } from '../camera-habits.ts'
import {
  type AuthChallenge,
  authorization,
  type CameraCredentials,
  strongestChallenge,
} from '../rtsp/rtsp-authentication.ts'
import { CallSlots } from './call-slots.ts'
import { clockShape, toCameraTime } from './onvif-clock.ts'
import { getFromCamera, type HttpAddress, type HttpReply, postToCamera, uploadToCamera } from './onvif-http.ts'
import type { OnvifDownload, OnvifUpload, UploadReply } from './onvif-transfers.ts'
import { element } from './shapes.ts'
import { addressingHeaders, envelope, parseReply, usernameToken } from './soap.ts'
import { decodeXml, type XmlNode } from './xml.ts'

export interface OnvifOptions {
  /** The address of the camera's device service; the path is `/onvif/device_service` for nearly all. */
  readonly address: HttpAddress
  readonly credentials: CameraCredentials | undefined
  /** The owner's consent to send the password in plain text. Over TLS none is needed. */
  readonly allowBasic?: boolean
  /** Not even over TLS: what answers may not be the camera. */
  readonly digestOnly?: boolean
  /** SHA-256 of the certificate that the camera has to show over TLS; undefined: the first one is taken and kept. */
  readonly certificate?: Buffer | undefined
  readonly connect: CameraConnect
  readonly signal: AbortSignal
  /** Kept by the caller from one client to the next. */
  readonly habits?: Pick<CameraHabits, 'onvifAuthentication'>
}

/** A service of the camera: where it is reached, and how the camera names it. */
export interface OnvifService {
  readonly address: HttpAddress
  readonly named: string
}

export interface OnvifCall<T> {
  readonly service: OnvifService
  readonly namespace: string
  readonly operation: string
  /** XML within the element of the operation. */
  readonly content?: string
  /** For services that need WS-Addressing. */
  readonly action?: string
  /** More headers, as XML. */
  readonly header?: string
  readonly shape: z.ZodMiniType<T>
  readonly timeoutMs?: number
  readonly maxReplyBytes?: number
  /** In addition to the client's. */
  readonly signal?: AbortSignal
}

/**
 * A call that did not work. `isRefusal`: the camera answered, and said no, with these codes. `isUnsupported`: it doesn't have what was
 * asked for.
 */
export type OnvifFault = CameraFault & {
  readonly isRefusal?: boolean
  readonly isUnsupported?: boolean
  readonly codes?: readonly string[]
}

export type OnvifResult<T> = Result<T, OnvifFault>

/** A reply that is parsed, and the text that it was parsed from. */
export interface OnvifReply<T> {
  readonly value: T
  readonly text: string
}

export const DEVICE = 'http://www.onvif.org/ver10/device/wsdl'
const REPLY_TIMEOUT_MS = 5000
/** A hundred messages have less. Parsing takes up to a second per MiB, and a hostile camera may send as much as it is allowed. */
const MAX_REPLY_BYTES = 256 * 1024
/** Many cameras serve few connections at the same time. */
const CALLS_AT_A_TIME = 2
/** A clock that moved by less explains no rejected token. */
const CLOCK_MOVED_MS = 1000

const wrongCredentials: OnvifFault = fault('credentialsIncorrect', 'the camera rejected the user name and password')
const basicOnly = fault(
  'authenticationUnsupported',
  'the camera supports only basic authentication, which sends the password in plain text',
)

const downloaded = (status: number, bytes: Buffer): OnvifResult<Buffer> =>
  status === 200 ? ok(bytes) : fail({ ...fault('badReply', `expected a file, got status ${status}`), isRefusal: true })

const MAX_UPLOAD_REPLY_BYTES = 16 * 1024

/** How this camera takes credentials: in the message, in the HTTP header, in both. */
type Way = 'token' | 'digest' | 'both' | 'basic' | 'none'

type Sent =
  | { readonly kind: 'reply'; readonly body: XmlNode; readonly text: string }
  | { readonly kind: 'rejected'; readonly challenge: AuthChallenge | undefined }
  | { readonly kind: 'failed'; readonly fault: OnvifFault }

/**
 * Calls the services of one camera, at most two at a time, and learns how it wants to be called: its clock, its way of
 * authentication, its certificate. Every connection goes through the checked dialer to the host of the device service, whatever
 * host a reply names.
 */
export class OnvifClient {
  readonly #options: OnvifOptions
  readonly #slots = new CallSlots(CALLS_AT_A_TIME)
  #way: Way
  /** Another client learned the way; this camera has not taken it yet. */
  #isRemembered: boolean
  #digest: { readonly challenge: AuthChallenge; count: number } | undefined
  /** Of downloads: the camera's challenge, and how often it was answered. */
  #downloadChallenge: AuthChallenge | undefined
  #downloads = 0
  #certificate: Buffer | undefined
  #clockAheadMs: number | undefined

  constructor(options: OnvifOptions) {
    this.#options = options
    const remembered = options.habits?.onvifAuthentication
    this.#way = options.credentials === undefined ? 'none' : (remembered ?? 'token')
    this.#isRemembered = options.credentials !== undefined && remembered !== undefined
    this.#certificate = options.certificate
  }

  get address(): HttpAddress {
    return this.#options.address
  }

  /** How far the camera's clock is ahead of ours, in milliseconds; 0 if it doesn't say. Precise to half a second. */
  get clockAheadMs(): number {
    return this.#clockAheadMs ?? 0
  }

  /** Whether calls send the password as it is, which everybody on the way can read without TLS. */
  get usesBasic(): boolean {
    return this.#way === 'basic'
  }

  /** SHA-256 of the certificate that the camera shows over TLS. */
  get certificate(): Buffer | undefined {
    return this.#certificate
  }

  /** Asks the camera for its time, which needs no credentials (ONVIF Core §5.12.1). */
  async readClock(): Promise<OnvifResult<undefined>> {
    const failure = await this.#slots.run(() => this.#readClock())
    return failure === undefined ? ok(undefined) : fail(failure)
  }

  async #readClock(): Promise<OnvifFault | undefined> {
    const service = { address: this.address, named: '' }
    const asked = Date.now()
    const call = { service, namespace: DEVICE, operation: 'GetSystemDateAndTime', shape: clockShape }
    const sent = await this.#send(call, 'none')
    if (sent.kind === 'failed' && sent.fault.isRefusal !== true) return sent.fault
    // Some cameras guard even this, and some don't know it; then their clock has to be right.
    const parsed = sent.kind === 'reply' ? z.safeParse(clockShape, sent.body) : undefined
    const time = parsed?.success === true ? toCameraTime(parsed.data) : undefined
    this.#clockAheadMs = time === undefined ? this.clockAheadMs : Math.round(time - (asked + Date.now()) / 2)
    return undefined
  }

  /** One call; the reply has the shape asked for. */
  async call<T>(call: OnvifCall<T>): Promise<OnvifResult<OnvifReply<T>>> {
    if (this.#clockAheadMs === undefined) {
      const clock = await this.readClock()
      if (!clock.ok) return clock
    }
    const sent = await this.#slots.run(() => this.#authenticated(call))
    if (sent.kind === 'failed') return fail(sent.fault)
    if (sent.kind === 'rejected') return fail(wrongCredentials)
    const parsed = z.safeParse(element(call.shape), sent.body)
    if (!parsed.success) return fail(fault('badReply', `unexpected reply to ${call.operation}`))
    return ok({ value: parsed.data, text: sent.text })
  }

  /**
   * In the way that worked last, otherwise in the others that the camera may take. The password is tried three times at most, and
   * a second time in the message only if the clock was another one: cameras lock out who repeats a wrong one.
   */
  async #authenticated(call: OnvifCall<unknown>): Promise<Sent> {
    // A service without TLS doesn't get in plain text what one with TLS got.
    const way = this.#way === 'basic' && !this.#mayReadPassword(call) ? 'token' : this.#way
    const first = await this.#send(call, way)
    if (first.kind === 'reply') this.#isRemembered = false
    if (first.kind !== 'rejected' || this.#options.credentials === undefined) return first
    // It no longer asks for HTTP authentication: it is asked as one that isn't known.
    if (this.#isRemembered && first.challenge === undefined) {
      this.#keep('token')
      return await this.#authenticated(call)
    }
    if (way === 'digest' || way === 'both') return await this.#answer(call, first.challenge)
    if (first.challenge !== undefined) return await this.#answer(call, first.challenge)
    if (await this.#hasClockMoved()) {
      const again = await this.#send(call, way)
      if (again.kind !== 'rejected') return again
    }
    // Without credentials a camera names the authentication that it wants.
    const bare = await this.#send(call, 'none')
    return bare.kind === 'rejected' ? await this.#answer(call, bare.challenge) : bare
  }

  /** By HTTP authentication, with the token in the message too if the camera wants both. */
  async #answer(call: OnvifCall<unknown>, challenge: AuthChallenge | undefined): Promise<Sent> {
    if (challenge === undefined) return { kind: 'rejected', challenge }
    if (challenge.scheme === 'basic') {
      return this.#mayReadPassword(call) ? await this.#learn(call, 'basic') : { kind: 'failed', fault: basicOnly }
    }
    this.#digest = { challenge, count: 0 }
    const alone = await this.#learn(call, 'digest')
    if (alone.kind !== 'rejected') return alone
    // Rejected by a fault and not by HTTP: the header was right.
    return alone.challenge === undefined ? await this.#learn(call, 'both') : alone
  }

  /** Whether the password may be sent as it is: nobody else can read it, or the owner consented. */
  #mayReadPassword({ service }: OnvifCall<unknown>): boolean {
    if (this.#options.digestOnly === true) return false
    return service.address.isSecure === true || this.#options.allowBasic === true
  }

  async #learn(call: OnvifCall<unknown>, way: Way): Promise<Sent> {
    const sent = await this.#send(call, way)
    if (sent.kind === 'reply') this.#keep(way)
    return sent
  }

  #keep(way: Way): void {
    this.#way = way
    this.#isRemembered = false
    const { habits } = this.#options
    if (habits === undefined) return
    if (way === 'digest' || way === 'basic') habits.onvifAuthentication = way
    else delete habits.onvifAuthentication
  }

  async #hasClockMoved(): Promise<boolean> {
    const before = this.clockAheadMs
    await this.#readClock()
    return Math.abs(this.clockAheadMs - before) > CLOCK_MOVED_MS
  }

  async #send(call: OnvifCall<unknown>, way: Way): Promise<Sent> {
    const posted = await this.#post(call, way)
    if (!posted.ok) return { kind: 'failed', fault: posted.failure }
    const { status, challenges, bytes, certificate } = posted.value
    const text = decodeXml(bytes)
    this.#certificate ??= certificate
    if (status === 401) return { kind: 'rejected', challenge: strongestChallenge(challenges) }
    if (status === 403) return { kind: 'rejected', challenge: undefined }
    // ONVIF sends faults with 400 or 500.
    if (status !== 200 && status !== 400 && status !== 500)
      return { kind: 'failed', fault: fault('badReply', `expected a SOAP reply, got status ${status}`) }
    const reply = parseReply(text, call.operation)
    if (reply === undefined)
      return { kind: 'failed', fault: fault('badReply', `unexpected reply to ${call.operation}`) }
    if (reply.kind === 'reply') return { kind: 'reply', body: reply.body, text }
    if (reply.isNotAuthorized) return { kind: 'rejected', challenge: undefined }
    const detail = `the camera rejected ${call.operation}: ${quoted(reply.reason)}`
    const { isUnsupported, codes } = reply
    const refused = { ...fault('badReply', detail), isRefusal: true, isUnsupported, codes }
    return { kind: 'failed', fault: refused }
  }

  async #post(call: OnvifCall<unknown>, way: Way): Promise<Result<HttpReply, CameraFault>> {
    const { connect, credentials, signal } = this.#options
    const { address, named } = call.service
    const action = call.action ?? `${call.namespace}/${call.operation}`
    const addressing = call.action === undefined ? '' : addressingHeaders(named, call.action)
    const hasToken = credentials !== undefined && (way === 'token' || way === 'both')
    const token = hasToken ? usernameToken(credentials, new Date(Date.now() + this.clockAheadMs)) : ''
    const element = `<o:${call.operation} xmlns:o="${call.namespace}">${call.content ?? ''}</o:${call.operation}>`
    return await postToCamera({
      address,
      body: envelope(`${addressing}${call.header ?? ''}${token}`, element),
      action,
      authorization: this.#authorization(address, way),
      connect,
      pin: { sha256: this.#certificate },
      timeoutMs: call.timeoutMs ?? REPLY_TIMEOUT_MS,
      maxReplyBytes: call.maxReplyBytes ?? MAX_REPLY_BYTES,
      signal: call.signal === undefined ? signal : AbortSignal.any([signal, call.signal]),
    })
  }

  /**
   * Downloads something beside the calls, such as a snapshot: with HTTP authentication if the camera asks for it, whatever way it
   * takes in its calls.
   */
  async download({
    address,
    method = 'GET',
    timeoutMs,
    maxReplyBytes,
    signal,
  }: OnvifDownload): Promise<OnvifResult<Buffer>> {
    const { connect } = this.#options
    const get = (header: string | undefined) =>
      getFromCamera(
        {
          address,
          authorization: header,
          connect,
          pin: { sha256: this.#certificate },
          timeoutMs,
          maxReplyBytes,
          signal: AbortSignal.any([this.#options.signal, signal]),
        },
        method,
      )
    const first = await get(this.#downloadHeader(address, method, this.#downloadChallenge))
    if (!first.ok) return first
    const { status, challenges, bytes } = first.value
    if (status !== 401) return downloaded(status, bytes)
    const challenge = strongestChallenge(challenges)
    if (challenge === undefined || this.#options.credentials === undefined) return fail(wrongCredentials)
    if (challenge.scheme === 'basic' && address.isSecure !== true && this.#options.allowBasic !== true)
      return fail(basicOnly)
    this.#downloadChallenge = challenge
    const second = await get(this.#downloadHeader(address, method, challenge))
    if (!second.ok) return second
    return second.value.status === 401 ? fail(wrongCredentials) : downloaded(second.value.status, second.value.bytes)
  }

  /** The header of a message that is sent as an upload; empty for a camera that takes credentials only by HTTP. */
  tokenHeader(): string {
    const { credentials } = this.#options
    if (credentials === undefined || (this.#way !== 'token' && this.#way !== 'both')) return ''
    return usernameToken(credentials, new Date(Date.now() + this.clockAheadMs))
  }

  /** Uploads a file. Credentials are sent only in a digest, or as the owner consented. */
  async upload({
    address,
    sizeBytes,
    parts,
    contentType,
    timeoutMs,
    signal,
  }: OnvifUpload): Promise<OnvifResult<UploadReply>> {
    const { connect, credentials, allowBasic } = this.#options
    const post = (header: string | undefined, empty: boolean) =>
      uploadToCamera({
        address,
        sizeBytes: empty ? 0 : sizeBytes,
        parts: empty ? Readable.from([]) : parts(),
        contentType,
        authorization: header,
        connect,
        pin: { sha256: this.#certificate },
        timeoutMs,
        maxReplyBytes: MAX_UPLOAD_REPLY_BYTES,
        signal: AbortSignal.any([this.#options.signal, signal]),
      })
    // An empty request shows how the camera wants to be asked, before a large file is sent in vain.
    const first = await post(undefined, true)
    if (!first.ok) return first
    const challenge = first.value.status === 401 ? strongestChallenge(first.value.challenges) : undefined
    if (first.value.status === 401 && (challenge === undefined || credentials === undefined))
      return fail(wrongCredentials)
    if (challenge?.scheme === 'basic' && address.isSecure !== true && allowBasic !== true) return fail(basicOnly)
    const header =
      challenge === undefined || credentials === undefined
        ? undefined
        : authorization(challenge, credentials, { method: 'POST', uri: address.path, count: 1 })
    const second = await post(header, false)
    if (!second.ok) return second
    const { status, bytes } = second.value
    return status === 401 ? fail(wrongCredentials) : ok({ status, text: decodeXml(bytes) })
  }

  #downloadHeader(
    { path }: HttpAddress,
    method: 'GET' | 'PUT',
    challenge: AuthChallenge | undefined,
  ): string | undefined {
    const { credentials } = this.#options
    if (credentials === undefined || challenge === undefined) return undefined
    this.#downloads++
    return authorization(challenge, credentials, { method, uri: path, count: this.#downloads })
  }

  #authorization({ path }: HttpAddress, way: Way): string | undefined {
    const { credentials } = this.#options
    if (credentials === undefined || way === 'token' || way === 'none') return undefined
    if (way === 'basic') return authorization({ scheme: 'basic' }, credentials, { method: 'POST', uri: path, count: 1 })
    if (this.#digest === undefined) return undefined
    this.#digest.count++
    return authorization(this.#digest.challenge, credentials, { method: 'POST', uri: path, count: this.#digest.count })
  }
}
