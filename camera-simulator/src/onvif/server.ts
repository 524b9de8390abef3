import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { EpochMs } from '../clock.ts'
import type { DigestGuard } from '../digest/digest.ts'
import type { ActiveFaults, OnvifQuirk } from '../fault.ts'
import { closeServer, listen } from '../listening.ts'
import { CARD_PATHS, type SimulatedCard } from './card.ts'
import { type OnvifDevice, paths } from './device.ts'
import * as deviceService from './device-service.ts'
import type { EventService } from './event-service.ts'
import { readAttachedImage, readImage } from './firmware.ts'
import type { IoService } from './io-service.ts'
import type { NetworkService } from './network-service.ts'
import { IMAGING_OPERATIONS, type OnvifOperation, OPERATIONS, OPERATIONS2 } from './operations.ts'
import { type PtzService, ptzReply } from './ptz-service.ts'
import { diskList, numberedSnapshot, type SimulatedDisk } from './recorder-files.ts'
import {
  child,
  envelope,
  faultEnvelope,
  getText,
  notAuthorized,
  parseSoap,
  type SoapFault,
  type SoapRequest,
  type XmlNode,
} from './soap.ts'
import type { UserService } from './user-service.ts'
import { hasToken, isTokenRight } from './username-token.ts'
import type { WifiService } from './wifi-service.ts'

type PickedRequest = Pick<SoapRequest, 'operation' | 'body'>

const MAX_REQUEST_BYTES = 65_536
const SERVICES: ReadonlySet<string> = new Set([
  paths.device,
  paths.media,
  paths.media2,
  paths.imaging,
  paths.events,
  paths.subscription,
  paths.ptz,
  paths.io,
  ...CARD_PATHS,
])

const unknownOperation = (operation: string): SoapFault => ({
  code: 'Receiver',
  subcodes: ['ter:ActionNotSupported'],
  reason: `${operation} is not implemented`,
})

export interface SimulatedOnvifCamera {
  readonly guard: DigestGuard
  readonly users: UserService
  readonly authentication: 'either' | 'token' | 'digest' | 'basic'
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  readonly events: EventService
  /** Undefined for a camera that doesn't turn. */
  readonly ptz: PtzService | undefined
  readonly io: IoService
  readonly network: NetworkService
  /** Undefined for a camera without Wi-Fi. */
  readonly wifi: WifiService | undefined
  readonly faults: ActiveFaults
  readonly snapshot: Buffer | undefined
  /** The camera as a client at this address sees it. */
  readonly describe: (host: string) => OnvifDevice
  readonly setClock: (time: EpochMs) => void
  /** Restarts the camera once the reply is sent. */
  readonly restart: () => void
  readonly disks: readonly SimulatedDisk[]
  /** Installs an image, for which it restarts; false if it is none for this camera. */
  readonly install: (image: Buffer) => boolean
  readonly card: SimulatedCard | undefined
  /** The camera's clock. */
  readonly now: () => EpochMs
}

/** A request as it came. */
export interface OnvifRequest {
  readonly operation: string
  readonly hasToken: boolean
  /** The scheme of the header Authorization. */
  readonly scheme: string | undefined
}

const MAX_KEPT_REQUESTS = 1000

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) return undefined
    bytes += chunk.length
    if (bytes > MAX_REQUEST_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

interface Answer {
  readonly status: number
  readonly type?: string
  readonly body?: string | Buffer
}

const soap = (status: number, body: string): Answer => ({ status, type: 'application/soap+xml; charset=utf-8', body })

const faulty = (fault: SoapFault): Answer => soap(fault.code === 'Sender' ? 400 : 500, faultEnvelope(fault))

/** Device and media service of ONVIF Profile S, and the snapshot, on one HTTP port. */
export class OnvifServer {
  readonly #camera: SimulatedOnvifCamera
  readonly #requests: OnvifRequest[] = []
  #server: Server | undefined

  constructor(camera: SimulatedOnvifCamera) {
    this.#camera = camera
  }

  async open(host: string, port: number): Promise<number> {
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      // A client that disconnects while it is being answered is not an error.
      this.#serve(request, response).catch(() => response.destroy())
    }
    const { tls } = this.#camera
    this.#server = tls === undefined ? createServer(serve) : createSecureServer(tls, serve)
    return await listen(this.#server, host, port)
  }

  get requests(): readonly OnvifRequest[] {
    return this.#requests
  }

  async close(): Promise<void> {
    if (this.#server === undefined) return
    const closed = closeServer(this.#server)
    this.#server.closeAllConnections()
    await closed
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await this.#answer(request)
    if (answer.status === 401) response.setHeader('WWW-Authenticate', this.#challenges())
    if (answer.type !== undefined) response.setHeader('Content-Type', answer.type)
    response.writeHead(answer.status).end(this.#disfigure(answer.body))
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const path = (request.url ?? '').replace(/\?.*$/, '')
    const file = await this.#transfer(request, path)
    if (file !== undefined) return file
    if (!SERVICES.has(path)) return { status: 404 }
    if (request.method !== 'POST') return { status: 405 }
    const parsed = parseSoap((await readBody(request)) ?? '')
    if (parsed === undefined)
      return faulty({ code: 'Sender', subcodes: ['ter:WellFormed'], reason: 'Not a SOAP 1.2 envelope' })
    return await this.#perform(request, path, parsed)
  }

  /** Of files; undefined for calls of services. */
  async #transfer(request: IncomingMessage, path: string): Promise<Answer | undefined> {
    const { method, headers } = request
    if (method === 'GET' && path === paths.snapshot) return this.#takeSnapshot(request)
    if (method === 'GET' && path === paths.disks) return this.#listDisks(request)
    if (method === 'PUT' && path === `${paths.disks}/hdd/1/format`) return this.#formatCard(request)
    if (method !== 'POST') return undefined
    if (path === paths.firmware) return await this.#install(request)
    return /^multipart\/related/i.test(headers['content-type'] ?? '') ? await this.#installAttached(request) : undefined
  }

  #takeSnapshot(request: IncomingMessage): Answer {
    const { snapshot, describe } = this.#camera
    const input = Number(new URL(request.url ?? '', 'http://camera').searchParams.get('input') ?? '1')
    const profile = describe('127.0.0.1').profiles.find((one) => one.input === input)
    if (snapshot === undefined || profile === undefined || profile.isEmpty) return { status: 404 }
    if (!this.#isDigestRight(request)) return { status: 401 }
    const body = input === 1 ? snapshot : numberedSnapshot(snapshot, input)
    return { status: 200, type: 'image/jpeg', body }
  }

  #formatCard(request: IncomingMessage): Answer {
    const { card } = this.#camera
    if (card?.disk === undefined) return { status: 404 }
    if (!this.#isDigestRight(request)) return { status: 401 }
    card.format()
    return { status: 200, type: 'application/xml', body: '<ResponseStatus><statusCode>1</statusCode></ResponseStatus>' }
  }

  #listDisks(request: IncomingMessage): Answer {
    const { card } = this.#camera
    const disks = card?.disk === undefined ? this.#camera.disks : [card.disk]
    if (disks.length === 0) return { status: 404 }
    return this.#isDigestRight(request)
      ? { status: 200, type: 'application/xml', body: diskList(disks) }
      : { status: 401 }
  }

  /** The statuses are those of ONVIF Core §8.3.10. */
  async #install(request: IncomingMessage): Promise<Answer> {
    if (!this.#isDigestRight(request)) {
      request.resume()
      return { status: 401 }
    }
    const image = await readImage(request, this.#has('firmware-cut-off'))
    if (image === undefined) return { status: 413 }
    return { status: this.#camera.install(image) ? 200 : 415 }
  }

  /** UpgradeSystemFirmware, which has the image beside its envelope. */
  async #installAttached(request: IncomingMessage): Promise<Answer> {
    const { message, image } = await readAttachedImage(request, this.#has('firmware-cut-off'))
    const parsed = parseSoap(message)
    if (parsed?.operation !== 'UpgradeSystemFirmware' || !this.#has('old-firmware-upgrade'))
      return faulty(unknownOperation('UpgradeSystemFirmware'))
    this.#requests.push({ operation: parsed.operation, hasToken: hasToken(parsed.header), scheme: undefined })
    if (!this.#isAuthenticated(request, parsed.header)) return soap(401, faultEnvelope(notAuthorized))
    return this.#camera.install(image)
      ? soap(
          200,
          envelope(
            '<tds:UpgradeSystemFirmwareResponse><tds:Message>Upgrading</tds:Message></tds:UpgradeSystemFirmwareResponse>',
          ),
        )
      : faulty({ code: 'Sender', subcodes: ['ter:InvalidArgs', 'ter:InvalidFirmware'], reason: 'Invalid firmware' })
  }

  async #perform(request: IncomingMessage, path: string, parsed: SoapRequest): Promise<Answer> {
    const { operation, header } = parsed
    const scheme = request.headers.authorization?.split(' ', 1)[0]
    this.#requests.push({ operation, hasToken: hasToken(header), scheme })
    if (this.#requests.length > MAX_KEPT_REQUESTS) this.#requests.shift()
    const device = this.#camera.describe(request.socket.localAddress ?? '127.0.0.1')
    if (operation === 'GetSystemDateAndTime') return soap(200, envelope(deviceService.getSystemDateAndTime(device)))
    if (!this.#isAuthenticated(request, header)) {
      // A wrong token is a fault; nothing at all, or a wrong HTTP digest, is an invitation (ONVIF Core §5.9).
      const isFault = hasToken(header) && ['either', 'token'].includes(this.#camera.authentication)
      return isFault ? faulty(notAuthorized) : soap(401, faultEnvelope(notAuthorized))
    }
    if (operation === 'SystemReboot' && this.#has('reboot-silent')) return await new Promise<never>(() => undefined)
    const result = await this.#result(request, path, device, parsed)
    if (operation === 'SetUser' && this.#camera.users.isSilent) return await new Promise<never>(() => undefined)
    return typeof result === 'string' ? soap(200, envelope(result)) : faulty(result)
  }

  #result(request: IncomingMessage, path: string, device: OnvifDevice, { operation, body, header }: SoapRequest) {
    if (path === paths.events || path === paths.subscription)
      return this.#event(request, device, { operation, body, header })
    if (this.#has('no-get-services') && operation === 'GetServices') return unknownOperation(operation)
    const own =
      this.#besideMedia(path, device, { operation, body }) ??
      this.#camera.users.perform(operation, body) ??
      this.#contact(path, operation, body) ??
      this.#network(path, device, { operation, body }) ??
      this.#changeDevice(operation, body)
    return own ?? this.#media(path, device, operation, body)
  }

  #media(path: string, device: OnvifDevice, operation: string, body: XmlNode): string | SoapFault {
    const isSecond = path === paths.media2
    if (operation === 'GetProfiles' && this.#has(isSecond ? 'media2-empty' : 'media2-only'))
      return `<trt:GetProfilesResponse/>`
    const isSub = getText(child(body, 'ProfileToken')) === 'sub'
    if (operation === 'GetStreamUri' && isSub && this.#has('sub-stream-address-fails'))
      return unknownOperation(operation)
    if (operation.startsWith('Set') && this.#has('no-administrator')) return notAuthorized
    const perform = this.#operationsAt(path).get(operation)
    return perform === undefined ? unknownOperation(operation) : perform(device, body)
  }

  /** The relays are in both services, the inputs in the newer one. */
  #contact(path: string, operation: string, body: XmlNode): string | SoapFault | undefined {
    if (path !== paths.device && path !== paths.io) return undefined
    if (operation === 'SetRelayOutputState' && this.#has('no-administrator')) return notAuthorized
    const reply = this.#camera.io.perform(operation, body, path === paths.io ? 'tmd' : 'tds')
    return reply ?? (path === paths.io ? unknownOperation(operation) : undefined)
  }

  #network(path: string, device: OnvifDevice, { operation, body }: PickedRequest): string | SoapFault | undefined {
    if (path !== paths.device) return undefined
    if (/^Set(DNS|NTP|Network)/.test(operation) && this.#has('no-administrator')) return notAuthorized
    const { wifi, network } = this.#camera
    return wifi?.perform(operation, body) ?? network.perform(operation, body, device.endpoint)
  }

  #changeDevice(operation: string, body: XmlNode): string | SoapFault | undefined {
    if (operation === 'SetSystemDateAndTime') return this.#setClock(body)
    if (operation === 'StartFirmwareUpgrade') return this.#startUpgrade()
    return operation === 'SystemReboot' ? this.#restart() : undefined
  }

  #startUpgrade(): string | SoapFault {
    if (this.#has('no-administrator')) return notAuthorized
    if (this.#has('no-firmware-upgrade') || this.#has('old-firmware-upgrade'))
      return unknownOperation('StartFirmwareUpgrade')
    const address = this.#camera.describe('127.0.0.1').base + paths.firmware
    return (
      `<tds:StartFirmwareUpgradeResponse><tds:UploadUri>${address}</tds:UploadUri>` +
      '<tds:UploadDelay>PT1S</tds:UploadDelay><tds:ExpectedDownTime>PT10S</tds:ExpectedDownTime>' +
      '</tds:StartFirmwareUpgradeResponse>'
    )
  }

  #restart(): string | SoapFault {
    if (this.#has('no-administrator')) return notAuthorized
    this.#camera.restart()
    return '<tds:SystemRebootResponse><tds:Message>Restarting</tds:Message></tds:SystemRebootResponse>'
  }

  #setClock(body: XmlNode): string | SoapFault {
    if (this.#has('no-administrator')) return notAuthorized
    if (this.#has('no-set-clock')) return unknownOperation('SetSystemDateAndTime')
    const time = deviceService.requestedTime(body)
    const isZoneRefused = this.#has('no-set-time-zone') && child(body, 'TimeZone') !== undefined
    if (isZoneRefused || Number.isNaN(time))
      return { code: 'Sender', subcodes: ['ter:InvalidArgVal'], reason: 'Invalid time' }
    if (!this.#has('clock-not-set')) this.#camera.setClock(time)
    return '<tds:SetSystemDateAndTimeResponse/>'
  }

  #move(operation: string, body: XmlNode): string | SoapFault {
    const reply = this.#camera.ptz?.perform(operation, body) ?? unknownOperation(operation)
    return typeof reply === 'string' ? ptzReply(reply) : reply
  }

  /** Of services that have nothing to do with the streams; undefined for the others. */
  #besideMedia(path: string, { replayUri = '', profiles }: OnvifDevice, { operation, body }: PickedRequest) {
    if (path === paths.ptz) return this.#move(operation, body)
    if (!CARD_PATHS.includes(path)) return undefined
    const inputs = profiles
      .filter(({ input }, at, all) => all.findIndex((one) => one.input === input) === at)
      .map(({ input, token, source }) => ({ input, profile: token, source }))
    return this.#camera.card?.perform(operation, body, { replayUri, inputs }) ?? unknownOperation(operation)
  }

  #operationsAt(path: string): ReadonlyMap<string, OnvifOperation> {
    if (path === paths.imaging) return this.#has('no-imaging') ? new Map() : IMAGING_OPERATIONS
    return path === paths.media2 ? OPERATIONS2 : OPERATIONS
  }

  #event(request: IncomingMessage, device: OnvifDevice, { operation, body, header }: SoapRequest) {
    const { events } = this.#camera
    if (this.#has('no-events')) return unknownOperation(operation)
    if (operation === 'CreatePullPointSubscription') return events.create(device.base, body)
    if (operation === 'PullMessages') return events.pull(header, body, () => request.socket.destroyed)
    if (operation === 'SetSynchronizationPoint' && !this.#has('no-synchronization')) return events.synchronize(header)
    if (operation === 'GetEventProperties') return events.properties()
    if (operation === 'Renew') return events.renew(header, body)
    return operation === 'Unsubscribe' ? events.unsubscribe(header) : unknownOperation(operation)
  }

  #has(quirk: OnvifQuirk): boolean {
    return this.#camera.faults.get('onvif-quirks')?.quirks.includes(quirk) === true
  }

  #challenges(): string[] {
    const { authentication, guard } = this.#camera
    if (authentication === 'token') return []
    return authentication === 'basic' ? ['Basic realm="camera"'] : guard.challenges(false)
  }

  #isAuthenticated(request: IncomingMessage, header: XmlNode | undefined): boolean {
    const { authentication } = this.#camera
    if (authentication === 'basic') return this.#isBasicRight(request)
    const takes = (way: 'token' | 'digest') => authentication === 'either' || authentication === way
    return (takes('token') && this.#isTokenRight(header)) || (takes('digest') && this.#isDigestRight(request))
  }

  #isBasicRight({ headers }: IncomingMessage): boolean {
    const { users, faults } = this.#camera
    return !faults.has('wrong-password') && headers.authorization === users.basicHeader
  }

  /** The reply as a camera with quirks would write it. */
  #disfigure(body: string | Buffer | undefined): string | Buffer | undefined {
    if (typeof body !== 'string') return body
    let text = body
    if (this.#has('zero-date')) text = text.replace(/<tt:(Year|Month|Day)>\d+</g, '<tt:$1>0<')
    if (this.#has('other-prefixes'))
      text = text.replaceAll(/(<\/?|xmlns:)(s|tds|trt|tr2|tt|tev|wsnt|wsa)(:|=)/g, '$1x-$2$3')
    if (this.#has('leading-blank')) text = ` \r\n${text}`
    if (this.#has('byte-order-mark')) text = `\uFEFF${text}`
    if (!this.#has('bad-utf8')) return text
    return Buffer.concat(
      text.split('Simulated').flatMap((part, at) => [Buffer.from(at === 0 ? '' : '\xC3', 'latin1'), Buffer.from(part)]),
    )
  }

  #isTokenRight(header: XmlNode | undefined): boolean {
    const { users, faults, now } = this.#camera
    return !faults.has('wrong-password') && isTokenRight(header, (username) => users.find(username), now())
  }

  #isDigestRight({ method, headers }: IncomingMessage): boolean {
    const { faults, guard } = this.#camera
    return !faults.has('wrong-password') && guard.check(method ?? '', headers.authorization).kind === 'accepted'
  }
}
