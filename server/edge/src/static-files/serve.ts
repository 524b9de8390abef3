import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, sep } from 'node:path'
import { type CachedFile, type Encoding, fileCache } from './file-cache.ts'

/** A page generated for one response, with its content security policy. */
export interface RenderedPage {
  readonly html: string
  readonly policy: string
}

interface Wanted {
  readonly path: string
  /**
   * The nonce of each script in `index.html`. The page isn't cached, because it belongs to the policy of this response.
   */
  readonly nonce?: string | undefined
  /** Replaces `index.html`. */
  readonly instead?: (() => Promise<RenderedPage | undefined>) | undefined
  /** Turns the built application into another cacheable page, and sets the required headers. */
  readonly painted?: ((built: Built) => Promise<CachedFile | undefined>) | undefined
}

/** An application as it was built. */
export interface Built {
  /** Its `index.html`. */
  readonly page: CachedFile
  /** Another file, by its path below the application. */
  file(path: string): Promise<CachedFile | undefined>
}

interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

export interface StaticFiles {
  /** Responds to GET or HEAD of a path below `prefix`. A page that isn't a file gets `index.html`. */
  serve(req: IncomingMessage, res: ServerResponse, wanted: Wanted): Promise<void>
}

/** Names of built files contain a hash of the content, so they never change. */
const HASHED = /[-.][A-Za-z0-9_-]{8,}\.[a-z0-9]+$/
const IMMUTABLE = 'public, max-age=31536000, immutable'
const REVALIDATE = 'no-cache'

const PAGES: ReadonlySet<string> = new Set(['', 'index.html'])

const cacheControlOf = (relative: string): string =>
  relative.startsWith('assets/') && HASHED.test(relative) ? IMMUTABLE : REVALIDATE

/** The files of one built application in `root`, served below `prefix` (`/` or `/app/`). */
export function staticFiles(root: string, prefix: string): StaticFiles {
  const cache = fileCache()
  const index = join(root, 'index.html')
  return {
    async serve(req, res, wanted) {
      const relative = relativePath(wanted.path, prefix)
      if (relative === undefined) return sendPlain(res, 404, 'not found')
      const file = PAGES.has(relative) ? undefined : await cache.file(join(root, relative))
      if (file !== undefined) return sendFile(req, res, { file, cacheControl: cacheControlOf(relative) })
      // A missing script must not get a page: the browser would report it as broken instead of missing.
      if (relative.startsWith('assets/')) return sendPlain(res, 404, 'not found')
      const other = await wanted.instead?.()
      if (other !== undefined) return sendPage(req, res, other)
      const page = await cache.file(index)
      if (page === undefined)
        return sendPlain(res, 503, 'This app has not been built yet. Restart Sightline with "npm start".')
      await sendIndex({ req, res }, { page, file: (other) => cache.file(join(root, other)) }, wanted)
    },
  }
}

/** `index.html`, as built or changed for this response. */
async function sendIndex({ req, res }: Exchange, built: Built, { nonce, painted }: Wanted): Promise<void> {
  const made = await painted?.(built)
  if (made !== undefined) {
    await sendFile(req, res, { file: made, cacheControl: REVALIDATE, varies: 'cookie, accept-language' })
  } else if (nonce === undefined) await sendFile(req, res, { file: built.page, cacheControl: REVALIDATE })
  else await sendWithNonce({ req, res }, built.page, nonce)
}

/** Only below the root: no dot segments, hidden files or other separators. */
function relativePath(path: string, prefix: string): string | undefined {
  if (!path.startsWith(prefix)) return path === prefix.slice(0, -1) ? '' : undefined
  // A browser treats the part after two slashes as a host name.
  if (/^[/\\]{2}/.test(path)) return undefined
  let decoded: string
  try {
    decoded = decodeURIComponent(path.slice(prefix.length))
  } catch {
    return undefined
  }
  const segments = decoded.split('/').filter((segment) => segment !== '')
  const isSafe = segments.every((segment) => !segment.startsWith('.') && !/[\\\0:]/.test(segment))
  return isSafe ? segments.join(sep) : undefined
}

/** The best encoding that the client accepts (RFC 9110 §12.5.3), in our order. */
function encodingFor(acceptEncoding: string | undefined): Encoding {
  const accepted = (acceptEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*/))
    .filter(([, quality]) => !/^q=0(\.0{0,3})?$/.test(quality ?? ''))
    .map(([name]) => name)
  if (accepted.includes('br')) return 'br'
  return accepted.includes('gzip') ? 'gzip' : 'identity'
}

async function sendFile(
  req: IncomingMessage,
  res: ServerResponse,
  given: { readonly file: CachedFile; readonly cacheControl: string; readonly varies?: string },
): Promise<void> {
  const { file } = given
  const encoding = file.isCompressible ? encodingFor(req.headers['accept-encoding']) : 'identity'
  const etag = `"${file.hash}${encoding === 'identity' ? '' : `-${encoding}`}"`
  res.setHeader('cache-control', given.cacheControl)
  res.setHeader('etag', etag)
  if (given.varies !== undefined) res.appendHeader('vary', given.varies)
  if (file.isCompressible) res.appendHeader('vary', 'accept-encoding')
  if (isFresh(req.headers['if-none-match'], etag)) {
    res.writeHead(304).end()
    return
  }
  const bytes = await file.bytes(encoding)
  res.setHeader('content-type', file.contentType)
  res.setHeader('content-length', bytes.length)
  if (encoding !== 'identity') res.setHeader('content-encoding', encoding)
  res.writeHead(200)
  res.end(req.method === 'HEAD' ? undefined : bytes)
}

/** Never cached: the next response at the same address may be the application. */
function sendPage(req: IncomingMessage, res: ServerResponse, { html, policy }: RenderedPage): void {
  res.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(html),
    vary: 'cookie',
  })
  res.end(req.method === 'HEAD' ? undefined : html)
}

/** Without a validator: a 304 would apply the policy of another nonce to a cached page. */
async function sendWithNonce({ req, res }: Exchange, page: CachedFile, nonce: string): Promise<void> {
  const html = (await page.bytes('identity')).toString().replaceAll('<script ', `<script nonce="${nonce}" `)
  res.writeHead(200, {
    'content-type': page.contentType,
    'cache-control': REVALIDATE,
    'content-length': Buffer.byteLength(html),
  })
  res.end(req.method === 'HEAD' ? undefined : html)
}

/** RFC 9110 §13.1.2. */
const isFresh = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)

function sendPlain(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  res.end(text)
}
