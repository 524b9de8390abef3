import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FirstPaints } from '@sightline/contract/first-paint'
import type { BrandSource } from '@sightline/platform/brands'
import type { KeyPair } from '@sightline/platform/certificate'
import { type Clock, systemClock } from '@sightline/platform/clock'
import { type LegalTexts, legalTexts } from '@sightline/platform/legal-texts'
import { type Logger, pathForLog } from '@sightline/platform/log'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { IsClientOrigin } from './cross-origin/index.ts'
import { firstPaintPages } from './first-paint/index.ts'
import {
  claimsForwarding,
  noProxies,
  type ProxySettings,
  type TrustedProxies,
  trustedProxies,
} from './forwarding/index.ts'
import type { Diversion } from './listener/divert.ts'
import { listen } from './listener/index.ts'
import { handleRequest, handleUpgrade, type RouterDeps, type Upstreams } from './request-router.ts'
import { type OpenTunnel, rtspTunnels, wantsTunnel } from './rtsp-tunnel/index.ts'
import { plainSite, type SiteSettings } from './runtime-config/index.ts'
import { securityHeaders } from './security-headers/index.ts'
import { staticFiles } from './static-files/index.ts'
import { translationTexts } from './third-party-scripts/translation-texts.ts'
import { isTrusted, loadKeyPair, type TlsSetting } from './tls/index.ts'

export { isLocalRequest, namesThisMachine, type ProxySettings, readOrigin } from './forwarding/index.ts'
export { renewCertificate, TLS_SUITES } from './listener/index.ts'
export type { Upstreams } from './request-router.ts'
export { plainSite, type SiteSettings } from './runtime-config/index.ts'
export type { TagManager, TranslationTool } from './third-party-scripts/index.ts'
export { getScheme, loadKeyPair, type TlsSetting } from './tls/index.ts'

export interface EdgeDeps {
  readonly listen: { readonly host: string; readonly port: number; readonly tls: TlsSetting }
  /** Default: none. */
  readonly proxies?: ProxySettings
  readonly brands: BrandSource
  /** Default: none. */
  readonly isClientOrigin?: IsClientOrigin
  /** Where to report vulnerabilities: a `mailto:` or `https:` address. Default: none. */
  readonly securityContact?: string | undefined
  /** The public keys that the lists of footage are signed with, as JSON text. Default: none. */
  readonly footageKeys?: string
  readonly upstreams: Upstreams
  /** Folder of the built applications: `account-portal/`, `camera-app/`, `dealer-dashboard/`, `api-docs/`, `sign-in-start/`, `footage-check/`, `shared-footage/` and `first-paint/`. */
  readonly webRoot: string
  readonly log: Logger
  readonly clock?: Clock
  readonly site?: SiteSettings
  /** Default: only our templates. */
  readonly legalTexts?: LegalTexts
  /** The file with markers of texts for in-page translation. */
  readonly translationTexts?: string
  /** Reasons why the service isn't ready, one sentence each; used by `/readyz`. */
  readonly readiness?: () => Promise<readonly string[]>
}

export interface Edge extends AsyncDisposable {
  readonly address: string
  readonly port: number
  /** New connections get this certificate. */
  renew(keyPair: KeyPair): void
}

/** Undefined if it wasn't built: then pages have no first paint. */
async function builtFirstPaints(webRoot: string): Promise<FirstPaints | undefined> {
  const path = join(webRoot, 'first-paint', 'first-paint.mjs')
  if (!existsSync(path)) return undefined
  const built: { firstPaints: FirstPaints } = await import(pathToFileURL(path).href)
  return built.firstPaints
}

/** Warns once about an untrusted proxy: all requests would seem to come from its address. */
function proxiesOf({ listen: { tls }, proxies = noProxies, log }: EdgeDeps): TrustedProxies {
  const { sourceOf } = trustedProxies(proxies)
  let isSaid = tls.kind !== 'behind-proxy'
  return {
    sourceOf(req) {
      const source = sourceOf(req)
      if (!isSaid && !source.isForwarded && claimsForwarding(req)) {
        isSaid = true
        log.warn(
          `ignoring forwarding headers from ${source.address}: if this is your proxy, add its network to SIGHTLINE_TRUSTED_PROXIES`,
        )
      }
      return source
    },
  }
}

/** RTSP over HTTP, if it is switched on. */
function divertedTunnels({ upstreams: { rtspTunnel }, proxies, log }: RouterDeps): Diversion | undefined {
  if (rtspTunnel === undefined) return undefined
  const open: OpenTunnel = (url, connection) => {
    log.info({ method: 'TUNNEL', path: pathForLog(url), address: connection.address }, 'request')
    rtspTunnel(url, connection)
  }
  const accept = rtspTunnels({ addressOf: (request) => proxies.sourceOf(request).address, open })
  return { isWanted: wantsTunnel, accept }
}

/** Opens the public port. A failure is a sentence for the operator: the problem, and the setting that fixes it. */
export async function openEdge(deps: EdgeDeps): Promise<Result<Edge, string>> {
  const { host, port, tls } = deps.listen
  const keyPair = await loadKeyPair(tls, deps.clock ?? systemClock)
  if (!keyPair.ok) return fail(keyPair.failure)
  const door: RouterDeps = {
    brands: deps.brands,
    upstreams: deps.upstreams,
    log: deps.log,
    proxies: proxiesOf(deps),
    securityContact: deps.securityContact,
    footageKeys: deps.footageKeys,
    clock: deps.clock ?? systemClock,
    isClientOrigin: deps.isClientOrigin ?? (async () => false),
    headersFor: securityHeaders(isTrusted(tls)),
    site: deps.site ?? plainSite,
    legalTexts: deps.legalTexts ?? legalTexts(undefined),
    translationTexts: () => translationTexts(deps.translationTexts),
    readiness: deps.readiness ?? (async () => []),
    accountPortal: staticFiles(join(deps.webRoot, 'account-portal'), '/'),
    cameraApp: staticFiles(join(deps.webRoot, 'camera-app'), '/app/'),
    dealerDashboard: staticFiles(join(deps.webRoot, 'dealer-dashboard'), '/dealer/'),
    apiDocs: staticFiles(join(deps.webRoot, 'api-docs'), '/docs/api/'),
    footageCheck: () =>
      readFile(join(deps.webRoot, 'footage-check', 'footage-check.html'), 'utf8').catch(() => undefined),
    sharedFootage: () =>
      readFile(join(deps.webRoot, 'shared-footage', 'shared-footage.html'), 'utf8').catch(() => undefined),
    startScript: () => readFile(join(deps.webRoot, 'sign-in-start', 'sign-in-start.js'), 'utf8').catch(() => undefined),
    firstPaint: firstPaintPages(() => builtFirstPaints(deps.webRoot), deps.log),
  }
  const listening = await listen(
    { host, port, keyPair: keyPair.value },
    {
      request: (req, res) => void handleRequest(req, res, door),
      trouble: (err) => deps.log.error({ err }, 'error on the public port'),
      upgrade: (req, socket, head) => void handleUpgrade(req, { socket, head }, door),
      diverted: divertedTunnels(door),
    },
  )
  if (!listening.ok) return fail(listening.failure)
  const { address, port: taken, renew, close } = listening.value
  return ok({ address, port: taken, renew, [Symbol.asyncDispose]: close })
}
