import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server as TlsServer } from 'node:tls'
import { type ApiError, toErrorBody } from '@sightline/contract/errors'
import type { KeyPair } from '@sightline/platform/certificate'
import { fail, ok, type Result } from '@sightline/platform/result'
import { type Diversion, divertConnections } from './divert.ts'

export interface HttpListener {
  readonly address: string
  readonly port: number
  /** Accepts nothing new, lets pending requests finish for at most five seconds, then ends the rest. */
  close(): Promise<void>
  /** New connections get this certificate. */
  renew(keyPair: KeyPair): void
}

type OnUpgrade = (req: Parameters<RequestListener>[0], socket: Duplex, head: Buffer) => void

export interface ListenSettings {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  readonly keyPair: KeyPair | undefined
  /** Maximum time for a request to arrive, in milliseconds; by default 15 s and 60 s. */
  readonly patience?: {
    readonly headersTimeout: number
    readonly requestTimeout: number
    readonly connectionsCheckingInterval: number
  }
}

/** Against slow senders (Slowloris): headers within 15 s, the whole request within 60 s. */
const LIMITS = {
  maxHeaderSize: 16 << 10,
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  // Longer than the 60 s that proxies keep a connection, so that they close it first.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5000,
  insecureHTTPParser: false,
  requireHostHeader: true,
} as const
/**
 * Only forward secrecy and authenticated encryption, strongest first (RFC 9325 §4.2). Our order counts, not the
 * client's.
 */
export const TLS_SUITES = {
  minVersion: 'TLSv1.2',
  honorCipherOrder: true,
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
} as const
const FINISH_MS = 5000
/** By then, streams have informed their peers. We don't wait for the peers' responses. */
const STREAM_FINISH_MS = 1000

/** Listens, or returns one sentence with the reason for a failure. */
export async function listen(
  settings: ListenSettings,
  on: {
    readonly request: RequestListener
    readonly upgrade: OnUpgrade
    readonly trouble: (error: Error) => void
    readonly diverted?: Diversion | undefined
  },
): Promise<Result<HttpListener, string>> {
  const { host, port, keyPair } = settings
  const limits = { ...LIMITS, ...settings.patience }
  const server: Server =
    keyPair === undefined
      ? createHttpServer(limits, on.request)
      : createHttpsServer({ ...limits, ...keyPair, ...TLS_SUITES }, on.request)
  const ours = new Set<Duplex>()
  const upgraded = new Set<Duplex>()
  if (on.diverted !== undefined) {
    const { isWanted, accept } = on.diverted
    const take = (socket: Socket, first: Buffer) => {
      keepUntilClosed(upgraded, socket)
      accept(socket, first)
    }
    const event = keyPair === undefined ? 'connection' : 'secureConnection'
    divertConnections(server, event, { isWanted, accept: take, patienceMs: limits.headersTimeout })
  }
  server.on('connection', (socket) => keepUntilClosed(ours, socket))
  server.on('upgrade', (req, socket, head) => {
    keepUntilClosed(upgraded, socket)
    on.upgrade(req, socket, head)
  })
  server.on('clientError', (error, socket) => answerBroken(error, socket))
  const refusal = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once('error', resolve)
    server.listen(port, host, () => {
      server.off('error', resolve)
      resolve(undefined)
    })
  })
  if (refusal !== undefined) return fail(sentenceFor(refusal, settings))
  // Running out of file descriptors while accepting is reported here; it is temporary.
  server.on('error', on.trouble)
  const { address, port: taken } = server.address() as AddressInfo
  return ok({
    address,
    port: taken,
    renew: (renewed) => renewCertificate(server, renewed),
    close: () => close(server, { ours, upgraded }),
  })
}

/** From now on, new connections get this certificate; a server without TLS has none. */
export function renewCertificate(server: NetServer, keyPair: KeyPair): void {
  if ('setSecureContext' in server) (server as TlsServer).setSecureContext({ ...TLS_SUITES, ...keyPair })
}

function keepUntilClosed(sockets: Set<Duplex>, socket: Duplex): void {
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
}

function sentenceFor(error: NodeJS.ErrnoException, { host, port }: ListenSettings): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use by another program. Stop that program, or set SIGHTLINE_PORT to a free port.`
    case 'EACCES':
      return `This user has no permission to listen on port ${port} of ${host}. Set SIGHTLINE_PORT to 1024 or higher.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Set SIGHTLINE_HOST to one that is.`
    default:
      return `Could not listen on port ${port} of ${host}: ${error.message}`
  }
}

/** For an invalid request: the status and the API error. */
const unreadable: Readonly<Record<string, readonly [status: string, failure: ApiError]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    {
      error: 'payloadTooLarge',
      detail: `the address and headers together can be at most ${LIMITS.maxHeaderSize} bytes: send fewer or shorter headers`,
    },
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    { error: 'timedOut', detail: 'the request did not arrive in time: send it again' },
  ],
}
const notHttp = [
  '400 Bad Request',
  { error: 'parse', detail: 'expected an HTTP/1.1 request (RFC 9112)' },
] as const satisfies readonly [string, ApiError]

/** The address of an invalid request is unknown, so all of them get the API's error body. */
function answerBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, failure] = unreadable[error.code ?? ''] ?? notHttp
  const body = JSON.stringify(toErrorBody(failure, randomUUID().replaceAll('-', '')))
  const type = 'content-type: application/json; charset=utf-8\r\nx-content-type-options: nosniff'
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\n${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/**
 * Doesn't wait for the server's own `close`, which also waits for connections that were passed to another process, and
 * that process stops after this one.
 */
async function close(
  server: Server,
  { ours, upgraded }: { ours: ReadonlySet<Duplex>; upgraded: ReadonlySet<Duplex> },
): Promise<void> {
  server.close()
  server.closeIdleConnections()
  // Sockets of streams never end on their own.
  for (const socket of upgraded) socket.end()
  const patience = new AbortController()
  const wait = (ms: number) => sleep(ms, undefined, { signal: patience.signal }).catch(() => undefined)
  void wait(STREAM_FINISH_MS).then(() => {
    for (const socket of upgraded) socket.destroy()
  })
  await Promise.race([allClosed(ours), wait(FINISH_MS)])
  patience.abort()
  for (const socket of ours) socket.destroy()
  await allClosed(ours)
}

async function allClosed(sockets: ReadonlySet<Duplex>): Promise<void> {
  await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
}
