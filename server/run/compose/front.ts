import { mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { networkInterfaces, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ArtefactFiles, apiRoutes, exportDownloads, type PushDeps, sharedFiles } from '@sightline/api'
import { type Auth, type GeoLocator, openAuth, type TokenSettings } from '@sightline/auth'
import type { SignInPages } from '@sightline/contract/sign-in-pages'
import { getScheme, loadKeyPair, openEdge, readOrigin, type TlsSetting } from '@sightline/edge'
import { type BrandSource, brandSource, createBrandLookup } from '@sightline/platform/brands'
import { systemClock } from '@sightline/platform/clock'
import { type Db, idSource } from '@sightline/platform/db'
import { type EnvelopeEncryption, envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { idempotencyStore, openHttp } from '@sightline/platform/http'
import { createAgreementVersion, legalTexts } from '@sightline/platform/legal-texts'
import type { Logger } from '@sightline/platform/log'
import { mailOutbox } from '@sightline/platform/mail'
import { createFindSession, openLastSeen, type SessionReader, sessionReader } from '@sightline/platform/sessions'
import { getFingerprint } from '@sightline/platform/signed-line'
import { StartError } from '@sightline/platform/startup'
import { watchCertificate } from './certificate-renewal.ts'
import type { Config } from './config.ts'
import type { FirstRun } from './first-run/index.ts'
import { publishedHeadKeys } from './head-signer.ts'
import { getLegalFolder } from './legal-folder.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { MailService } from './mail/index.ts'
import type { MediaWorkers } from './media-workers.ts'
import { countedPages } from './metrics/counted-pages.ts'
import type { RequestMetrics } from './metrics/request-metrics.ts'
import { listenForRtsp, type RtspPort } from './rtsp-port.ts'
import type { Secrets } from './secrets.ts'

/** Folder of everything that Vite built. */
const webRoot = join(import.meta.dirname, '../../../dist/web')

export interface FrontDeps {
  readonly config: Config
  readonly dataFolder: string
  /** Under the roles `app` and `auth`. */
  readonly app: Db
  readonly auth: Auth
  /** Set while the installation has no users. */
  readonly firstRun: FirstRun | undefined
  readonly mailing: Pick<MailService, 'before'>
  readonly brands: BrandSource
  readonly sessions: SessionReader
  readonly media: MediaWorkers
  readonly push: PushDeps
  /** The files of exports. */
  readonly artefacts: ArtefactFiles
  readonly requests: Pick<RequestMetrics, 'note'>
  readonly secrets: Secrets
  readonly log: Logger
}

/** How the edge protects the connection, from the operator's setting. */
export function toTlsSetting({ tls, publicUrl, listen }: Config, dataFolder: string): TlsSetting {
  switch (tls.kind) {
    case 'off':
    case 'behind-proxy':
      return tls
    case 'files':
      return { kind: 'certificate', certFile: tls.certificate, keyFile: tls.key }
    case 'self-signed':
      return { kind: 'self-signed', folder: join(dataFolder, 'tls'), names: [publicUrl?.hostname ?? listen.host] }
  }
}

/** The provider's own hosts: the public address if there is one, otherwise the address that it listens on. */
function ownHosts({ publicUrl, listen }: Config): readonly string[] {
  if (publicUrl !== undefined) return [publicUrl.host]
  const suffix = `:${listen.port}`
  const loopback = ['127.0.0.1', 'localhost', '[::1]']
  const isEverywhere = listen.host === '0.0.0.0' || listen.host === '::'
  const addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(bracketed))
  const hosts = isEverywhere ? [...loopback, ...addresses] : [listen.host, ...loopback]
  return [...new Set(hosts.map((host) => `${host}${suffix}`))]
}

const bracketed = ({ address, family }: { address: string; family: string }) =>
  family === 'IPv6' ? `[${address}]` : address

/** How long the cached state of a token is used. */
const SESSION_MS = 1000

/** Brands by host, as the edge and the authorization server must agree on them. */
export const openBrands = (config: Config, app: Db): BrandSource =>
  brandSource(createBrandLookup(app), {
    scheme: getScheme(toTlsSetting(config, '')),
    ownHosts: () => ownHosts(config),
    clock: systemClock,
  })

/** Finds the callers of tokens and records when they were last seen. */
export async function startSessions(
  parts: Pick<Lifecycle, 'start'>,
  { app, log, dataFolder }: { readonly app: Db; readonly log: Logger; readonly dataFolder: string },
): Promise<SessionReader> {
  const lastSeen = await parts.start('last-seen times', async () => openLastSeen({ db: app, clock: systemClock, log }))
  return sessionReader({
    find: createFindSession(app.plain),
    now: Date.now,
    agreementVersion: createAgreementVersion(getLegalFolder(dataFolder)),
    maxAgeMs: SESSION_MS,
    onSeen: lastSeen.note,
  })
}

/** The pages of the authorization server from the web build. */
export async function builtPages(): Promise<SignInPages> {
  const built: { signInPages: SignInPages } = await import(pathToFileURL(join(webRoot, 'sign-in/sign-in.mjs')).href)
  return built.signInPages
}

export async function startAuth(given: {
  db: Db
  secrets: Secrets
  brands: BrandSource
  pages: SignInPages
  log: Logger
  settings: TokenSettings
  /** Undefined: no location database is configured. */
  geoLocator: GeoLocator | undefined
  onRevoked: () => void
}): Promise<Auth> {
  const seals = envelopeEncryption(given.secrets.installationKey)
  const outbox = mailOutbox(seals, systemClock)
  const { geoLocator, ...parts } = given
  const told = geoLocator === undefined ? {} : { geoLocator }
  return openAuth({ ...parts, ...told, secrets: given.secrets.auth, encryption: seals, outbox, clock: systemClock })
}

/** What makes the files of exports, besides the media plane. */
export function openExporting({ artefacts, secrets }: Pick<FrontDeps, 'artefacts' | 'secrets'>) {
  return {
    artefacts,
    freeBytes: () =>
      statfs(dirname(artefacts.folder)).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => undefined,
      ),
    signer: getFingerprint(secrets.footageSigning.current.key),
    checkPage: () => readFile(join(webRoot, 'footage-check/footage-check.html'), 'utf8').catch(() => undefined),
  }
}

/** API and edge: the one port. */
export async function startFront(deps: FrontDeps): Promise<AsyncDisposable> {
  const { config, app, auth, firstRun, mailing, media, log } = deps
  const pages = countedPages(auth.handleHttp, deps.requests.note)
  const seals = envelopeEncryption(deps.secrets.installationKey)
  let rtsp: RtspPort | undefined
  const http = await openHttp({
    served: [
      ...apiRoutes({
        db: app,
        ids: idSource(app),
        auth: auth.plane,
        media: media.plane,
        encryption: seals,
        exportDesk: { dropFile: (exportId) => deps.artefacts.drop(exportId) },
        telling: { brands: deps.brands, outbox: mailOutbox(seals, systemClock) },
        push: deps.push,
        legalFolder: getLegalFolder(deps.dataFolder),
        streamTickets: config.streams.tickets,
        isTranslated: config.others.translation !== undefined,
        now: Date.now,
        servesWebRtc: config.webRtc !== undefined,
        rtspOrigin: (host) => (rtsp === undefined ? undefined : rtspOrigin(config, host)),
        mediaOrigin: (host) => `${getScheme(toTlsSetting(config, '')) === 'https' ? 'wss' : 'ws'}://${host}`,
      }),
      ...auth.served,
    ],
    sessions: deps.sessions,
    originOf: readOrigin,
    onBug: (err, { method, path, requestId }) =>
      log.error({ err, method, path, requestId }, 'a request failed because of a bug'),
    onAnswered: deps.requests.note,
    idempotency: idempotencyStore(app),
    callLimit: config.callLimit,
  })
  const edge = await openEdge({
    listen: { ...config.listen, tls: toTlsSetting(config, deps.dataFolder) },
    proxies: config.proxies,
    isClientOrigin: auth.isClientOrigin,
    securityContact: config.securityContact,
    footageKeys: publishedHeadKeys(deps.secrets),
    brands: deps.brands,
    upstreams: {
      api: http.handle,
      auth: mailing.before(firstRun?.before(pages) ?? pages),
      media: media.upgrade,
      streams: media.answerStream,
      ...(config.rtspPort !== undefined && { rtspTunnel: media.openRtsp }),
      ...filesOf(deps, seals),
    },
    webRoot,
    log,
    site: { ...config.others, authFlow: config.tokens.authFlow },
    translationTexts: join(deps.dataFolder, 'translation/aa.json'),
    legalTexts: legalTexts(getLegalFolder(deps.dataFolder)),
    readiness: () => readiness(app, media),
  })
  if (!edge.ok) throw new StartError(edge.failure)
  rtsp = await openRtspPort(deps)
  const certificate = await watchCertificateFiles(deps, [edge.value, ...(rtsp === undefined ? [] : [rtsp])])
  return {
    async [Symbol.asyncDispose]() {
      certificate?.[Symbol.dispose]()
      await rtsp?.[Symbol.asyncDispose]()
      await edge.value[Symbol.asyncDispose]()
      await http.close()
    },
  }
}

/** Sends the files of exports and shares. */
function filesOf({ app, sessions, artefacts, log }: FrontDeps, encryption: EnvelopeEncryption) {
  const deps = { db: app, ids: idSource(app), sessions, encryption, artefacts, log, now: Date.now }
  const [sendExport, sendShare] = [exportDownloads(deps), sharedFiles(deps)]
  return {
    exports: (req: IncomingMessage, res: ServerResponse) => sendExport(req, res, readOrigin(req).address),
    shares: (req: IncomingMessage, res: ServerResponse) => sendShare(req, res, readOrigin(req).address),
  }
}

function rtspOrigin(config: Config, host: string): string {
  const scheme = getScheme(toTlsSetting(config, '')) === 'https' ? 'rtsps' : 'rtsp'
  return `${scheme}://${URL.parse(`http://${host}`)?.hostname ?? host}:${config.rtspPort}`
}

/** The operator's certificate is renewed while we run; ours, for local networks, at a start. */
async function watchCertificateFiles(
  { config, dataFolder, log }: FrontDeps,
  ports: readonly Pick<RtspPort, 'renew'>[],
): Promise<Disposable | undefined> {
  if (config.tls.kind !== 'files') return undefined
  return await watchCertificate({
    read: () => loadKeyPair(toTlsSetting(config, dataFolder), systemClock),
    onRenewed: (keyPair) => {
      for (const port of ports) port.renew(keyPair)
    },
    log,
  })
}

/** Without it, everything else is served all the same: whether the port is free was checked before the start. */
async function openRtspPort({ config, dataFolder, media, log }: FrontDeps): Promise<RtspPort | undefined> {
  if (config.rtspPort === undefined) return undefined
  const keyPair = await loadKeyPair(toTlsSetting(config, dataFolder), systemClock)
  const options = { host: config.listen.host, port: config.rtspPort, open: media.openRtsp }
  const listening = keyPair.ok ? await listenForRtsp({ ...options, keyPair: keyPair.value }) : keyPair
  if (listening.ok) return listening.value
  log.error({ reason: listening.failure }, 'RTSP is off')
  return undefined
}

/** One sentence for each problem. */
export type AskProblems = () => Promise<readonly string[]>

/**
 * Problems that prevent serving requests. A camera that isn't recorded is not one: taking the server out of service
 * would end live view as well.
 */
export async function readiness(app: Db, media: MediaWorkers): Promise<readonly string[]> {
  const database = await app.plain
    .selectFrom('installation')
    .select('key')
    .limit(1)
    .execute()
    .then(
      () => [],
      () => ['the database is not responding'],
    )
  return [...database, ...media.unready()]
}

/** A short path for a local socket: the operating system allows 107 bytes, and data folders may lie deep. */
export async function socketFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'sightline-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
