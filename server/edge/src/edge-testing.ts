import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { providerTheme } from '@sightline/contract/theme'
import { brandSource } from '@sightline/platform/brands'
import { systemClock } from '@sightline/platform/clock'
import { createLogger } from '@sightline/platform/log'
import type { Result } from '@sightline/platform/result'
import {
  type Edge,
  type EdgeDeps,
  openEdge,
  plainSite,
  readOrigin,
  type SiteSettings,
  type TlsSetting,
  type Upstreams,
} from './index.ts'

/** Long enough to be worth compressing. */
export const SCRIPT = `console.log(${JSON.stringify('x'.repeat(4000))})`

/** The brand of `blue.example`. */
export const blue = {
  ...providerTheme,
  companyName: 'Blue Eye',
  logo: 'https://pictures.example/logo.png',
  logoDark: 'https://dark.example:8443/logo.png',
  favicon: 'https://pictures.example/favicon.png',
}

/** They say who they are, and what the edge told them. */
export const upstreams: Upstreams = {
  api: (req, res) => {
    res.setHeader('content-type', 'application/json')
    res.end(
      JSON.stringify({
        by: 'api',
        ...readOrigin(req),
        id: req.headers['x-request-id'],
        trace: req.headers.traceparent,
      }),
    )
  },
  auth: (req, res) => res.end(JSON.stringify({ by: 'auth', proto: req.headers['x-forwarded-proto'] })),
  streams: (_req, res) => res.end('clip'),
  exports: (_req, res) => res.end('export'),
  shares: (_req, res) => res.end('share'),
  media: (_req, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nstream'),
}

type Site = Partial<SiteSettings> &
  Pick<EdgeDeps, 'translationTexts' | 'proxies' | 'isClientOrigin' | 'securityContact'>

export interface TestEdges extends AsyncDisposable {
  /** Folder with three small applications, and a file next to them that must not be served. */
  readonly webRoot: string
  /** The first one opened, without TLS. */
  readonly edge: Edge
  readonly log: ReturnType<typeof createLogger>
  /** What was logged. */
  readonly lines: string[]
  /** The provider's own host; `broken` makes the readiness check fail. */
  ownHost: string
  readonly brandsWith: (scheme: 'http' | 'https') => ReturnType<typeof brandSource>
  /** Opens another edge for the same applications. */
  open(tls?: TlsSetting, port?: number, site?: Site): Promise<Result<Edge, string>>
}

async function buildApplications(webRoot: string): Promise<void> {
  for (const app of ['account-portal', 'camera-app', 'dealer-dashboard', 'api-docs']) {
    await mkdir(join(webRoot, app, 'assets'), { recursive: true })
    await writeFile(
      join(webRoot, app, 'index.html'),
      `<!doctype html><title>${app}</title><script type="module"></script>${'<p>page</p>'.repeat(100)}`,
    )
    await writeFile(join(webRoot, app, 'assets', 'main-Abc12345.js'), SCRIPT)
    await writeFile(join(webRoot, app, 'manifest.webmanifest'), '{}')
  }
  await writeFile(join(webRoot, 'secret.txt'), 'secret')
}

export async function testEdges(): Promise<TestEdges> {
  const webRoot = await mkdtemp(join(tmpdir(), 'sightline-edge-'))
  await buildApplications(webRoot)
  const lines: string[] = []
  const log = createLogger({ level: 'info', format: 'json', name: 'edge' }, { write: (line) => void lines.push(line) })
  const own = { host: '' }
  const brandsWith = (scheme: 'http' | 'https') =>
    brandSource(async (host) => (host === 'blue.example' ? { resellerId: 7, theme: blue } : undefined), {
      scheme,
      ownHosts: () => [own.host],
      clock: systemClock,
    })
  const open: TestEdges['open'] = (
    tls = { kind: 'off' },
    port = 0,
    { translationTexts, proxies, isClientOrigin, securityContact, ...site } = {},
  ) =>
    openEdge({
      listen: { host: '127.0.0.1', port, tls },
      brands: brandsWith(tls.kind === 'off' ? 'http' : 'https'),
      upstreams,
      webRoot,
      log,
      site: { ...plainSite, ...site },
      ...(proxies === undefined ? {} : { proxies }),
      ...(isClientOrigin === undefined ? {} : { isClientOrigin }),
      securityContact,
      ...(translationTexts === undefined ? {} : { translationTexts }),
      readiness: async () => (own.host === 'broken' ? ['the database is not responding'] : []),
    })
  const opened = await open()
  if (!opened.ok) throw new Error(opened.failure)
  const edge = opened.value
  own.host = `127.0.0.1:${edge.port}`
  return {
    webRoot,
    edge,
    log,
    lines,
    get ownHost() {
      return own.host
    },
    set ownHost(host) {
      own.host = host
    },
    brandsWith,
    open,
    async [Symbol.asyncDispose]() {
      await edge[Symbol.asyncDispose]()
      await rm(webRoot, { recursive: true, force: true })
    },
  }
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Asked {
  readonly port: number
  readonly method?: string
  readonly headers?: Record<string, string>
}

/** Sends the path exactly as written; `fetch` would tidy it. */
export const ask = (path: string, { port, method = 'GET', headers = {} }: Asked): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const req = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: false }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }))
    })
    req.on('error', reject)
    req.end()
  })
