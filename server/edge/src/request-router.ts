import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { toErrorBody } from '@sightline/contract/errors'
import { EXPORT_PATH } from '@sightline/contract/exports'
import { findLegalPage } from '@sightline/contract/legal-texts'
import type { firstPartyClients } from '@sightline/contract/runtime-config'
import { SHARE_PATH } from '@sightline/contract/shares'
import { isHttpStream, isWhep } from '@sightline/contract/streams'
import { themeCss } from '@sightline/contract/theme'
import type { Brand, BrandSource } from '@sightline/platform/brands'
import type { Clock } from '@sightline/platform/clock'
import type { LegalTexts } from '@sightline/platform/legal-texts'
import { type Logger, pathForLog } from '@sightline/platform/log'
import { logAccess } from './access-log/index.ts'
import { allowClientPage, type IsClientOrigin, pageOrigin } from './cross-origin/index.ts'
import type { firstPaintPages } from './first-paint/index.ts'
import { checkPagePolicy } from './footage-keys/index.ts'
import { hostsNamed, readTrace, setTrustedHeaders, type TrustedProxies } from './forwarding/index.ts'
import { type Destination, getDestination, listAllowedMethods } from './routing/index.ts'
import type { OpenTunnel } from './rtsp-tunnel/index.ts'
import { buildRuntimeConfig, type SiteSettings } from './runtime-config/index.ts'
import { securityText } from './security-contact/index.ts'
import { exceptionalHeaders, type Headers, type securityHeaders } from './security-headers/index.ts'
import { isOpenPage, signInStart } from './sign-in-start/index.ts'
import type { Built, StaticFiles } from './static-files/index.ts'
import { getPolicyExtension, getTranslationTool } from './third-party-scripts/index.ts'

/** The targets of requests and sockets. Each handles them completely. */
export interface Upstreams {
  readonly api: (req: IncomingMessage, res: ServerResponse) => void
  readonly auth: (req: IncomingMessage, res: ServerResponse) => void
  /** A WebSocket that wants to open, before its handshake. */
  readonly media: (req: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** The file of an export. */
  readonly exports: (req: IncomingMessage, res: ServerResponse) => void
  /** Sends footage that is shared by a link. */
  readonly shares: (req: IncomingMessage, res: ServerResponse) => void
  /** A stream that is answered over HTTP. */
  readonly streams: (req: IncomingMessage, res: ServerResponse) => void
  /** A connection of RTSP over HTTP; undefined if RTSP is off. */
  readonly rtspTunnel?: OpenTunnel | undefined
}

export interface RouterDeps {
  readonly brands: BrandSource
  readonly upstreams: Upstreams
  readonly log: Logger
  readonly proxies: TrustedProxies
  readonly isClientOrigin: IsClientOrigin
  /** Where to report vulnerabilities, as an address; undefined means none. */
  readonly securityContact: string | undefined
  /** JSON text; undefined means none. */
  readonly footageKeys: string | undefined
  readonly clock: Clock
  readonly headersFor: ReturnType<typeof securityHeaders>
  readonly site: SiteSettings
  readonly readiness: () => Promise<readonly string[]>
  readonly legalTexts: LegalTexts
  /** Markers by English text. */
  readonly translationTexts: () => Promise<unknown>
  readonly accountPortal: StaticFiles
  readonly cameraApp: StaticFiles
  readonly dealerDashboard: StaticFiles
  readonly apiDocs: StaticFiles
  /** The page that checks exported footage; undefined if it wasn't built. */
  readonly footageCheck: () => Promise<string | undefined>
  readonly sharedFootage: () => Promise<string | undefined>
  /** Starts a sign-in before an application loads; without it, each application does so. */
  readonly startScript: () => Promise<string | undefined>
  readonly firstPaint: ReturnType<typeof firstPaintPages>
}

interface PageRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly path: string
  readonly brand: Brand
}

const pathOf = (req: IncomingMessage): string => (req.url ?? '/').split('?', 1)[0] ?? '/'

/** Routes one request: by path, host and method. */
export async function handleRequest(req: IncomingMessage, res: ServerResponse, door: RouterDeps): Promise<void> {
  const hosts = hostsNamed(req)
  if (hosts > 1) return refuseHosts(res, hosts, door)
  if (isLivenessProbe(req)) {
    setHeaders(res, door.headersFor('healthz'))
    sendJson({ req, res }, 200, { status: 'ok' })
    return
  }
  const { brand, requestId, address } = await receive(req, door).catch((err: unknown) => {
    door.log.error({ err }, 'could not look up the brand of a host')
    return { brand: undefined, requestId: '', address: '' }
  })
  if (brand === undefined) {
    setHeaders(res, door.headersFor('healthz'))
    res.writeHead(503, { 'retry-after': '2', 'content-length': '0' }).end()
    return
  }
  logAccess(door.log, req, res, { address, requestId })
  const path = pathOf(req)
  const destination = getDestination(path)
  setHeaders(res, door.headersFor(destination, brand))
  // Requests from the page must not repeat it, not even to us.
  if (CREDENTIAL_IN_QUERY.test(req.url ?? '')) res.setHeader('referrer-policy', 'no-referrer')
  res.setHeader('x-request-id', requestId)
  const allowed = listAllowedMethods(destination, path)
  if (destination === 'healthz' || !allowed.includes(req.method ?? '')) {
    refuseMethod(res, { destination, allowed, requestId })
    return
  }
  try {
    await answer(destination, { req, res, path, brand }, door)
  } catch (err) {
    door.log.error({ err, requestId, path: pathForLog(path) }, 'could not answer a request')
    if (res.headersSent) res.destroy()
    else res.writeHead(500, { 'content-length': '0' }).end()
  }
}

/** Whether this process is alive depends neither on the caller nor on the database. */
const isLivenessProbe = (req: IncomingMessage): boolean =>
  pathOf(req) === '/healthz' && listAllowedMethods('healthz').includes(req.method ?? '')

function setHeaders(res: ServerResponse, headers: Headers): void {
  for (const [name, value] of headers) res.setHeader(name, value)
}

/** A token or a code in the address of a page. */
const CREDENTIAL_IN_QUERY = /[?&](access_token|token|ticket|code)=/i

/** The rest of this connection isn't trusted either. */
function refuseHosts(res: ServerResponse, hosts: number, door: RouterDeps): void {
  setHeaders(res, door.headersFor('healthz'))
  const text = `Expected one Host header (RFC 9112, section 3.2), got ${hosts}.\n`
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-length': text.length, connection: 'close' }
  res.writeHead(400, headers).end(text)
}

/** API clients read errors from the body; browsers don't need one. */
function refuseMethod(
  res: ServerResponse,
  { destination, allowed, requestId }: { destination: Destination; allowed: readonly string[]; requestId: string },
): void {
  const body =
    destination === 'api' ? Buffer.from(JSON.stringify(toErrorBody({ error: 'unsupportedOperation' }, requestId))) : ''
  const type = body === '' ? {} : { 'content-type': 'application/json; charset=utf-8' }
  res.writeHead(405, { allow: allowed.join(', '), ...type, 'content-length': body.length }).end(body)
}

async function receive(req: IncomingMessage, door: RouterDeps) {
  const source = door.proxies.sourceOf(req)
  const { address } = source
  const trace = readTrace(req, source)
  const brand = await door.brands.forHost(source.host)
  setTrustedHeaders(req, { brand, address, ...trace })
  return { brand, address, requestId: trace.requestId }
}

async function answer(
  destination: Exclude<Destination, 'healthz'>,
  request: PageRequest,
  door: RouterDeps,
): Promise<void> {
  const { req, res, path, brand } = request
  switch (destination) {
    case 'api':
      return answerApi(request, door)
    case 'auth':
      return door.upstreams.auth(req, res)
    case 'accountPortal':
      return answerPortal(request, door)
    case 'cameraApp':
    case 'dealerDashboard':
      if (path === '/app' || path === '/dealer') return redirectTo(res, `${path}/`)
      return answerApplication(destination, request, door)
    case 'apiDocs':
      return path === '/docs/api' ? redirectTo(res, `${path}/`) : door.apiDocs.serve(req, res, { path })
    case 'runtimeConfig':
      return sendJson(request, 200, buildRuntimeConfig(brand, door.site))
    case 'themeStyles':
      return send(request, { body: themeCss(brand.theme), type: 'text/css; charset=utf-8' })
    case 'legalText': {
      const page = findLegalPage(path)
      if (page === undefined) throw new Error(`${path} is not a legal text`)
      return sendJson(request, 200, await door.legalTexts.find(page, brand.resellerId))
    }
    case 'translationTexts': {
      const isHere = getTranslationTool(brand, door.site) !== undefined
      return sendJson(request, isHere ? 200 : 404, isHere ? await door.translationTexts() : {})
    }
    case 'securityContact':
      return answerSecurityContact(request, door)
    case 'footageKeys':
      return answerFootageKeys(request, door)
    case 'footageCheck':
      return await answerOnePage(request, await door.footageCheck())
    case 'sharedFootage':
      // The address of the page has a secret behind `#`, which no other page may learn.
      request.res.setHeader('referrer-policy', 'no-referrer')
      request.res.setHeader('x-robots-tag', 'noindex')
      return await answerOnePage(request, await door.sharedFootage())
    case 'robots':
      return send(request, { body: ROBOTS, type: TEXT })
    case 'readyz': {
      const problems = await door.readiness()
      return sendJson(request, problems.length === 0 ? 200 : 503, { ready: problems.length === 0, problems })
    }
    case 'media':
      return answerMedia(request, door)
  }
}

/** Video that is answered over HTTP; all other streams open only as WebSockets. */
async function answerMedia({ req, res, path, brand }: PageRequest, door: RouterDeps): Promise<void> {
  if (path === EXPORT_PATH) {
    door.upstreams.exports(req, res)
    return
  }
  if (path === SHARE_PATH) {
    door.upstreams.shares(req, res)
    return
  }
  if (!isHttpStream(path)) {
    res.writeHead(426, { upgrade: 'websocket', connection: 'upgrade', 'content-length': '0' }).end()
    return
  }
  res.setHeader('vary', 'origin')
  const isClientPage = (await pageOrigin(req, { ...door, brand })) === 'client'
  if (isClientPage && allowClientPage(req, res, listAllowedMethods('media', path))) return
  if (req.method === 'OPTIONS' && !isWhep(path)) res.writeHead(405, { allow: 'GET, HEAD', 'content-length': '0' }).end()
  else door.upstreams.streams(req, res)
}

const TEXT = 'text/plain; charset=utf-8'

/** Search engines may find the pages that are open to all; calls and streams are nothing for them (RFC 9309). */
const ROBOTS = ['User-agent: *', 'Disallow: /rest/', 'Disallow: /oauth/', 'Disallow: /stream/', ''].join('\n')

/** 404 if the operator set no contact. */
function answerSecurityContact(request: PageRequest, { securityContact: contact, clock }: RouterDeps): void {
  if (contact === undefined) send(request, { status: 404, body: '', type: TEXT })
  else send(request, { body: securityText(contact, request.brand.origin, clock), type: TEXT })
}

function answerFootageKeys(request: PageRequest, { footageKeys }: RouterDeps): void {
  if (footageKeys === undefined) send(request, { status: 404, body: '', type: TEXT })
  else send(request, { body: footageKeys, type: 'application/json; charset=utf-8' })
}

/** A page of one file, which brings its policy; 404 if this server was built without it. */
async function answerOnePage(request: PageRequest, page: string | undefined): Promise<void> {
  if (page === undefined) return send(request, { status: 404, body: '', type: TEXT })
  request.res.setHeader('content-security-policy', checkPagePolicy(page))
  send(request, { body: page, type: 'text/html; charset=utf-8' })
}

async function answerApi({ req, res, brand }: PageRequest, door: RouterDeps): Promise<void> {
  res.setHeader('vary', 'origin')
  const isClientPage = (await pageOrigin(req, { ...door, brand })) === 'client'
  if (isClientPage && allowClientPage(req, res, listAllowedMethods('api'))) return
  door.upstreams.api(req, res)
}

/** Pages below this path can be embedded in pages of an origin that the operator allows. */
const EMBEDDED = '/settings/'

/** The page for people who aren't signed in to that application, if a redirect isn't enough. */
const startOf =
  (app: keyof typeof firstPartyClients, { req, path, brand }: PageRequest, { startScript, site }: RouterDeps) =>
  async () => {
    const script = await startScript()
    return script === undefined ? undefined : signInStart(script, { app, path, req }, brand, site)
  }

/** A wide application. */
async function answerApplication(
  app: 'cameraApp' | 'dealerDashboard',
  request: PageRequest,
  door: RouterDeps,
): Promise<void> {
  const { req, res, path } = request
  if (path.startsWith('/downloads')) return redirectTo(res, DOWNLOAD_PORTAL)
  const painted = isOpenPage(app, path) ? undefined : (built: Built) => paintedPage(app, request, { built, door })
  return door[app].serve(req, res, { path, instead: startOf(app, request, door), painted })
}

/** The only app with third-party scripts, and frames on other sites, if the operator permits them. */
function answerPortal(request: PageRequest, door: RouterDeps): Promise<void> {
  const { req, res, path, brand } = request
  const { site, accountPortal } = door
  const widening = getPolicyExtension(path, brand, site)
  const embeddedBy = path.startsWith(EMBEDDED) ? site.embeddedBy : []
  if (widening !== undefined || embeddedBy.length > 0) {
    setHeaders(res, exceptionalHeaders(brand, { widening, embeddedBy }))
  }
  // The older header, which can't name origins.
  if (embeddedBy.length > 0) res.removeHeader('x-frame-options')
  const instead = startOf('accountPortal', request, door)
  const isPainted = widening === undefined && !isOpenPage('accountPortal', path)
  const painted = isPainted ? (built: Built) => paintedPage('accountPortal', request, { built, door }) : undefined
  return accountPortal.serve(req, res, { path, nonce: widening?.nonce, instead, painted })
}

/** The first paint of a page. */
async function paintedPage(
  app: keyof typeof firstPartyClients,
  { req, res, path, brand }: PageRequest,
  { built, door }: { readonly built: Built; readonly door: RouterDeps },
) {
  const made = await door.firstPaint({ app, path, req }, brand, built)
  setHeaders(res, made?.headers ?? [])
  return made?.page
}

/** `/downloads/` is the address that brands and links know. */
const DOWNLOAD_PORTAL = '/app/downloads'

/** An application's pages are below its slash. */
function redirectTo(res: ServerResponse, location: string): void {
  res.writeHead(308, { location, 'content-length': '0' }).end()
}

const sendJson = (visit: Pick<PageRequest, 'req' | 'res'>, status: number, value: unknown): void =>
  send(visit, { status, body: JSON.stringify(value), type: 'application/json; charset=utf-8' })

interface Answer {
  readonly status?: number
  readonly body: string
  readonly type: string
}

/** Depends on the host and can change at any time. */
function send({ req, res }: Pick<PageRequest, 'req' | 'res'>, { status = 200, body, type }: Answer): void {
  res.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-cache',
    'content-length': Buffer.byteLength(body),
    vary: 'host',
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}

/** A WebSocket: streams go to the media plane, all others are rejected and closed. */
export async function handleUpgrade(
  req: IncomingMessage,
  { socket, head }: { readonly socket: Duplex; readonly head: Buffer },
  door: RouterDeps,
): Promise<void> {
  // If a peer disconnects before there is a listener, the process must not end.
  const ignore = (): void => undefined
  socket.on('error', ignore)
  if (hostsNamed(req) > 1) {
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    return
  }
  try {
    const { brand, requestId, address } = await receive(req, door)
    const path = pathOf(req)
    if (getDestination(path) !== 'media' || req.headers.upgrade?.toLowerCase() !== 'websocket') {
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      return
    }
    // Browsers let any page open a WebSocket to any host; only the origin identifies the page (RFC 6455 §10.2).
    if ((await pageOrigin(req, { ...door, brand })) === 'foreign') {
      door.log.info(
        { path: pathForLog(path), address, requestId },
        'rejected a stream request from a page of another origin',
      )
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      return
    }
    door.log.info({ method: 'UPGRADE', path: pathForLog(path), address, requestId }, 'request')
    door.upstreams.media(req, socket, head)
    socket.off('error', ignore)
  } catch (err) {
    door.log.error({ err }, 'could not hand a stream over to the media worker')
    socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  }
}
