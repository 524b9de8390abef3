import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { EpochMs } from '../clock.ts'
import type { DigestGuard } from '../digest/digest.ts'
import type { ActiveFaults } from '../fault.ts'
import { closeServer, listen } from '../listening.ts'
import { type OnvifDevice, paths } from './device.ts'
import * as deviceService from './device-service.ts'
import * as mediaService from './media-service.ts'
import {
  envelope,
  faultEnvelope,
  notAuthorized,
  parseSoap,
  type SoapFault,
  type SoapRequest,
  type XmlNode,
} from './soap.ts'
import { hasToken, isTokenRight } from './username-token.ts'

const MAX_REQUEST_BYTES = 65_536

type Operation = (device: OnvifDevice, body: XmlNode) => string | SoapFault

const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['GetDeviceInformation', deviceService.getDeviceInformation],
  ['GetCapabilities', deviceService.getCapabilities],
  ['GetServices', deviceService.getServices],
  ['GetNetworkInterfaces', deviceService.getNetworkInterfaces],
  ['GetScopes', deviceService.getScopes],
  ['GetProfiles', mediaService.getProfiles],
  ['GetProfile', mediaService.getProfile],
  ['GetStreamUri', mediaService.getStreamUri],
  ['GetSnapshotUri', mediaService.getSnapshotUri],
  ['GetVideoSources', mediaService.getVideoSources],
])

export interface SimulatedOnvifCamera {
  readonly guard: DigestGuard
  readonly account: { readonly username: string; readonly password: string }
  readonly faults: ActiveFaults
  readonly snapshot: Buffer | undefined
  /** The camera as a client at this address sees it. */
  readonly describe: (host: string) => OnvifDevice
  /** The camera's clock. */
  readonly now: () => EpochMs
}

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
  #server: Server | undefined

  constructor(camera: SimulatedOnvifCamera) {
    this.#camera = camera
  }

  /** Reply: the port. */
  async open(host: string, port: number): Promise<number> {
    this.#server = createServer((request, response) => {
      // A client that disconnects while it is being answered is not an error.
      this.#serve(request, response).catch(() => response.destroy())
    })
    return await listen(this.#server, host, port)
  }

  async close(): Promise<void> {
    if (this.#server === undefined) return
    const closed = closeServer(this.#server)
    this.#server.closeAllConnections()
    await closed
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await this.#answer(request)
    if (answer.status === 401) response.setHeader('WWW-Authenticate', this.#camera.guard.challenges(false))
    if (answer.type !== undefined) response.setHeader('Content-Type', answer.type)
    response.writeHead(answer.status).end(answer.body)
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const path = (request.url ?? '').replace(/\?.*$/, '')
    if (request.method === 'GET' && path === paths.snapshot) return this.#takeSnapshot(request)
    if (path !== paths.device && path !== paths.media) return { status: 404 }
    if (request.method !== 'POST') return { status: 405 }
    const parsed = parseSoap((await readBody(request)) ?? '')
    if (parsed === undefined)
      return faulty({ code: 'Sender', subcodes: ['ter:WellFormed'], reason: 'Not a SOAP 1.2 envelope' })
    return this.#perform(request, parsed)
  }

  #takeSnapshot(request: IncomingMessage): Answer {
    const { snapshot } = this.#camera
    if (snapshot === undefined) return { status: 404 }
    return this.#isDigestRight(request) ? { status: 200, type: 'image/jpeg', body: snapshot } : { status: 401 }
  }

  #perform(request: IncomingMessage, { operation, body, header }: SoapRequest): Answer {
    const device = this.#camera.describe(request.socket.localAddress ?? '127.0.0.1')
    if (operation === 'GetSystemDateAndTime') return soap(200, envelope(deviceService.getSystemDateAndTime(device)))
    if (!this.#isTokenRight(header) && !this.#isDigestRight(request)) {
      // A wrong token is a fault; nothing at all, or a wrong HTTP digest, is an invitation (ONVIF Core §5.9).
      return hasToken(header) ? faulty(notAuthorized) : soap(401, faultEnvelope(notAuthorized))
    }
    const perform = OPERATIONS.get(operation)
    if (perform === undefined)
      return faulty({
        code: 'Receiver',
        subcodes: ['ter:ActionNotSupported'],
        reason: `${operation} is not implemented`,
      })
    const result = perform(device, body)
    return typeof result === 'string' ? soap(200, envelope(result)) : faulty(result)
  }

  #isTokenRight(header: XmlNode | undefined): boolean {
    const { account, faults, now } = this.#camera
    return !faults.has('wrong-password') && isTokenRight(header, account, now())
  }

  #isDigestRight({ method, headers }: IncomingMessage): boolean {
    if (this.#camera.faults.has('wrong-password')) return false
    return this.#camera.guard.check(method ?? '', headers.authorization).kind === 'accepted'
  }
}
