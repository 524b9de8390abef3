import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { AwsV4Signer } from 'aws4fetch'

export interface StoredObject {
  readonly name: string
  readonly bytes: number
}

/** Files in an object store, by name. All calls reject with {@link ObjectStoreError}. */
export interface ObjectStore extends Disposable {
  /** Stores a file; resolves when the store has confirmed it with this hash, 64 hexadecimal digits. */
  putFile(name: string, path: string, file: { readonly bytes: number; readonly sha256: string }): Promise<void>
  putBytes(name: string, bytes: Uint8Array): Promise<void>
  /** A range of bytes; `end` is not included. `signal` ends the request. */
  read(
    name: string,
    range: { readonly start: number; readonly end: number; readonly signal?: AbortSignal },
  ): Promise<Uint8Array>
  /** Bytes of an object; undefined if there is none. */
  size(name: string): Promise<number | undefined>
  /** All objects whose names begin so, in the order of their names. */
  list(prefix: string): AsyncGenerator<StoredObject>
  /** Removes an object; one that isn't there is no error. */
  remove(name: string): Promise<void>
}

/** What went wrong, in words for the operator; it contains no secret. */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError'
  /** What was sent is not what its hash says. */
  readonly isContentWrong: boolean
  /** The store answers, and has no such object. */
  readonly isMissing: boolean

  constructor(
    message: string,
    options: ErrorOptions & Partial<Pick<ObjectStoreError, 'isContentWrong' | 'isMissing'>> = {},
  ) {
    super(message, options)
    this.isContentWrong = options.isContentWrong === true
    this.isMissing = options.isMissing === true
  }
}

export interface S3Settings {
  readonly accessKey: string
  readonly secretKey: string
  readonly region: string
  /** `https`, or `http` on this machine. */
  readonly endpoint: string
  readonly bucket: string
}

const EMPTY_SHA256 = createHash('sha256').digest('hex')
/** When a request is given up. */
export interface RequestLimits {
  /** No byte for so long. */
  readonly idleMs: number
  /** The whole request, to which the time for its bytes is added: a server that sends a byte now and then isn't idle. */
  readonly baseMs: number
  /** The slowest rate that is of use. */
  readonly bytesPerMs: number
}

const WRITE_LIMITS: RequestLimits = { idleMs: 30_000, baseMs: 60_000, bytesPerMs: 50 }
/** Somebody waits for what is read. */
const READ_LIMITS: RequestLimits = { idleMs: 10_000, baseMs: 20_000, bytesPerMs: 50 }
const MAX_ERROR_BYTES = 65_536
const MAX_LIST_BYTES = 4 * 2 ** 20

interface Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  readonly name: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Of the answer, at most; without it, of an error. */
  readonly expectedBytes?: number
  readonly signal?: AbortSignal | undefined
  readonly body?: { readonly sha256: string; readonly bytes: number; readonly open: () => NodeJS.ReadableStream }
}

/**
 * A bucket of Amazon S3 or a server that speaks its protocol, by path (`<endpoint>/<bucket>/<name>`). Redirects are not
 * followed: they would carry the credentials elsewhere.
 */
export function s3ObjectStore(
  settings: S3Settings,
  { now = Date.now, limits }: { readonly now?: () => number; readonly limits?: RequestLimits } = {},
): ObjectStore {
  const isSecure = new URL(settings.endpoint).protocol === 'https:'
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const send = (call: Call) => sendSigned(call, { settings, now, limits, agent, isSecure })
  const done = async (call: Call): Promise<void> => void (await bodyOf(await send(call), MAX_ERROR_BYTES))
  return {
    putFile: (name, path, { bytes, sha256 }) =>
      done({ method: 'PUT', name, body: { sha256, bytes, open: () => createReadStream(path, { end: bytes - 1 }) } }),
    putBytes: (name, bytes) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      return done({ method: 'PUT', name, body: { sha256, bytes: bytes.length, open: () => streamOf(bytes) } })
    },
    async read(name, { start, end, signal }) {
      const headers = { range: `bytes=${start}-${end - 1}` }
      const reply = await send({ method: 'GET', name, headers, expectedBytes: end - start, signal })
      const bytes = await bodyOf(reply, end - start)
      if (reply.statusCode !== 206 || bytes.length !== end - start)
        throw new ObjectStoreError(`${name}: the store doesn't answer with the range that was asked for`)
      return bytes
    },
    async size(name) {
      const reply = await send({ method: 'HEAD', name })
      reply.resume()
      return reply.statusCode === 404 ? undefined : Number(reply.headers['content-length'])
    },
    async *list(prefix) {
      for (let token: string | undefined = ''; token !== undefined; ) {
        const query = { 'list-type': '2', prefix, ...(token === '' ? {} : { 'continuation-token': token }) }
        const reply = await send({ method: 'GET', name: '', query, expectedBytes: MAX_LIST_BYTES })
        const page = parsePage((await bodyOf(reply, MAX_LIST_BYTES)).toString('utf8'))
        yield* page.objects
        token = page.next
      }
    },
    remove: (name) => done({ method: 'DELETE', name }),
    [Symbol.dispose]: () => agent.destroy(),
  }
}

async function* streamOfBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
const streamOf = (bytes: Uint8Array) => streamOfBytes(bytes) as unknown as NodeJS.ReadableStream

interface Connection {
  readonly settings: S3Settings
  readonly now: () => number
  /** Instead of those that the product has. */
  readonly limits: RequestLimits | undefined
  readonly agent: HttpAgent | HttpsAgent
  readonly isSecure: boolean
}

/** Resolves with a reply of 200 to 206, or 404 to HEAD and DELETE. */
async function sendSigned(call: Call, connection: Connection): Promise<IncomingMessage> {
  const { settings, now, agent, isSecure } = connection
  const { method, name, query = {}, headers = {}, signal, body } = call
  const limits = connection.limits ?? (headers.range === undefined ? WRITE_LIMITS : READ_LIMITS)
  const url = new URL(`/${settings.bucket}${name === '' ? '' : `/${name}`}`, settings.endpoint)
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
  // As it was signed: `+` for a space would be another text.
  url.search = url.search.replaceAll('+', '%20')
  const sha256 = body?.sha256 ?? EMPTY_SHA256
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: { ...headers, 'x-amz-content-sha256': sha256 },
    accessKeyId: settings.accessKey,
    secretAccessKey: settings.secretKey,
    region: settings.region,
    service: 's3',
    datetime: new Date(now()).toISOString().replace(/[-:]|\.\d{3}/g, ''),
    allHeaders: true,
  })
  // Only the signature: its fetch would send a stream without its length, which S3 refuses.
  const signed = Object.fromEntries((await signer.sign()).headers)
  const length = body === undefined ? {} : { 'content-length': String(body.bytes) }
  const options = {
    method,
    agent,
    headers: { ...signed, ...length },
    timeout: limits.idleMs,
    ...(signal && { signal }),
  }
  const request = isSecure ? requestHttps(url, options) : requestHttp(url, options)
  request.on('timeout', () => request.destroy(new Error('no answer')))
  limitWhole(request, call, limits)
  const replied = new Promise<IncomingMessage>((resolve, reject) => request.on('response', resolve).on('error', reject))
  try {
    const sent = body === undefined ? Promise.resolve(void request.end()) : pipeline(body.open(), request)
    // An answer that refuses may come before the whole body was sent.
    sent.catch(() => undefined)
    return await checked(await Promise.race([replied, sent.then(() => replied)]), call, now())
  } catch (cause) {
    replied.catch(() => undefined)
    if (cause instanceof ObjectStoreError) throw cause
    throw new ObjectStoreError(`the S3 server can't be reached (${reasonOf(cause)})`, { cause })
  }
}

/** Ends a request that takes longer than its bytes should, its answer included. */
function limitWhole(request: ClientRequest, { body, expectedBytes }: Call, limits: RequestLimits): void {
  const bytes = (body?.bytes ?? 0) + (expectedBytes ?? 0)
  const limitMs = limits.baseMs + bytes / limits.bytesPerMs
  let reply: IncomingMessage | undefined
  request.on('response', (answer) => (reply = answer))
  // Whoever reads the answer learns the reason only from the answer itself.
  const end = () =>
    (reply ?? request).destroy(new Error(`too slow: ${bytes} bytes took longer than ${Math.ceil(limitMs)} ms`))
  const timer = setTimeout(end, limitMs).unref()
  request.on('close', () => clearTimeout(timer))
}

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return 'unknown'
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}

async function checked(reply: IncomingMessage, { method }: Call, now: number): Promise<IncomingMessage> {
  const status = reply.statusCode ?? 0
  if (status >= 200 && status < 300) return reply
  if (status === 404 && (method === 'HEAD' || method === 'DELETE')) return reply
  const text = method === 'HEAD' ? '' : (await bodyOf(reply, MAX_ERROR_BYTES)).toString('utf8')
  reply.resume()
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1]
  const isContentWrong = code === 'XAmzContentSHA256Mismatch' || code === 'BadDigest'
  throw new ObjectStoreError(sentence(status, code, skewOf(reply, now)), {
    isContentWrong,
    isMissing: code === 'NoSuchKey',
  })
}

/** Seconds by which the store's clock is ahead of ours. */
function skewOf(reply: IncomingMessage, now: number): number {
  const at = Date.parse(reply.headers.date ?? '')
  return Number.isNaN(at) ? 0 : Math.round((at - now) / 1000)
}

/** S3 accepts a quarter of an hour. */
const MAX_SKEW_SECONDS = 15 * 60

function sentence(status: number, code: string | undefined, skew: number): string {
  if (status === 403 && (code === 'RequestTimeTooSkewed' || Math.abs(skew) > MAX_SKEW_SECONDS))
    return `the clock of this server differs from the S3 server's by ${Math.abs(skew)} seconds, so it refuses requests`
  if (status >= 300 && status < 400)
    return 'the S3 server redirects to another address; set the endpoint and region of the bucket itself'
  if (code === 'NoSuchBucket') return 'the S3 bucket does not exist'
  if (status === 403) return `the S3 server refuses the access key (${code ?? 'no reason given'})`
  return `the S3 server answers ${status}${code === undefined ? '' : ` ${code}`}`
}

async function bodyOf(reply: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of reply) {
      bytes += chunk.length
      if (bytes > most) throw new ObjectStoreError('the S3 server answers with more than was asked for')
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof ObjectStoreError) throw cause
    throw new ObjectStoreError(`the S3 server can't be reached (${reasonOf(cause)})`, { cause })
  }
  return Buffer.concat(chunks)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|(\w{1,5}));/g, (all, number, name) =>
    number === undefined ? (ENTITIES[name] ?? all) : String.fromCodePoint(Number(number)),
  )

/** ListBucketResult: names of ours have no characters that XML treats otherwise. */
function parsePage(text: string): { readonly objects: readonly StoredObject[]; readonly next: string | undefined } {
  if (!text.includes('<ListBucketResult'))
    throw new ObjectStoreError('the S3 server answers with something else than a list')
  const objects = [...text.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].map(([, entry = '']) => ({
    name: unescaped(/<Key>([^<]*)<\/Key>/.exec(entry)?.[1] ?? ''),
    bytes: Number(/<Size>(\d+)<\/Size>/.exec(entry)?.[1]),
  }))
  const isMore = /<IsTruncated>true<\/IsTruncated>/.test(text)
  const token = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(text)?.[1]
  return { objects, next: isMore && token !== undefined ? unescaped(token) : undefined }
}
