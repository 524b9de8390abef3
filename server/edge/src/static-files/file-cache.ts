import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'identity' | 'gzip' | 'br'

/** One file when it was read, in the encodings requested so far. */
export interface CachedFile {
  readonly contentType: string
  /** Hash of the content, the same for all encodings; the response adds the encoding. */
  readonly hash: string
  readonly isCompressible: boolean
  bytes(encoding: Encoding): Promise<Buffer>
}

export interface FileCache {
  /** The regular file at that path, or undefined. */
  file(path: string): Promise<CachedFile | undefined>
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
}
const COMPRESSIBLE = /^(?:text\/|image\/svg|application\/(?:json|manifest|wasm))/
/** Below this size, encoding hardly saves more than its header costs. */
const SMALLEST_COMPRESSED = 512
/** Above this size, the cache is cleared; an app has a few MiB. */
const MAX_BYTES = 64 << 20

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

async function compressed(encoding: Encoding, path: string, bytes: Buffer): Promise<Buffer> {
  if (encoding === 'identity') return bytes
  const made = await readIfThere(`${path}.${encoding === 'br' ? 'br' : 'gz'}`)
  if (made !== undefined) return made
  if (encoding === 'gzip') return gzipped(bytes, { level: 9 })
  return brotli(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch {
    return undefined
  }
}

/** Files in memory with their encodings; read again when size or time of the file changed. */
export function fileCache(): FileCache {
  const known = new Map<string, { readonly stamp: string; readonly file: CachedFile }>()
  let held = 0
  const keep = (bytes: Buffer): Buffer => {
    held += bytes.length
    if (held > MAX_BYTES) {
      known.clear()
      held = 0
    }
    return bytes
  }
  return {
    async file(path) {
      const found = await stat(path).catch(() => undefined)
      if (found === undefined || !found.isFile()) return undefined
      const stamp = `${found.mtimeMs} ${found.size}`
      const cached = known.get(path)
      if (cached?.stamp === stamp) return cached.file
      const bytes = keep(await readFile(path))
      const file = toCached(path, bytes, keep)
      known.set(path, { stamp, file })
      return file
    },
  }
}

/** A generated page with its encodings. */
export const builtPage = (html: string): CachedFile => toCached('page.html', Buffer.from(html), (bytes) => bytes)

function toCached(path: string, bytes: Buffer, keep: (bytes: Buffer) => Buffer): CachedFile {
  const contentType = TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream'
  const encoded = new Map<Encoding, Promise<Buffer>>([['identity', Promise.resolve(bytes)]])
  return {
    contentType,
    hash: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    isCompressible: COMPRESSIBLE.test(contentType) && bytes.length >= SMALLEST_COMPRESSED,
    bytes(encoding) {
      const known = encoded.get(encoding) ?? compressed(encoding, path, bytes).then(keep)
      encoded.set(encoding, known)
      return known
    },
  }
}
