import type { Socket } from 'node:net'
import { ok, type Result } from '@sightline/platform/result'
import type { CameraConnect } from '../camera-address.ts'
import { type CameraFault, fault } from '../camera-fault.ts'
import { type CertificatePin, secureCamera } from '../camera-tls.ts'
import type { RtspAddress } from './rtsp-address.ts'
import type { CameraCredentials } from './rtsp-authentication.ts'

/** What carries the bytes of an RTSP connection: TCP, TLS, or a pair of HTTP requests over either. */
export interface RtspTransport {
  /** The camera's IP address. */
  readonly peer: string
  /** SHA-256 of the camera's certificate; undefined without TLS. */
  readonly certificate: Buffer | undefined
  readonly unsentBytes: number
  write(bytes: string | Uint8Array): void
  destroy(): void
  /** Ends it as soon as everything is sent. */
  finish(): void
}

export interface TransportOptions {
  readonly address: RtspAddress
  readonly connect: CameraConnect
  readonly pin: CertificatePin
  /** RTSP over HTTP, for cameras whose port speaks nothing else. */
  readonly usesHttp: boolean
  readonly credentials: CameraCredentials | undefined
  readonly allowBasic: boolean
  readonly replyTimeoutMs: number
  readonly signal: AbortSignal
  /** The bytes are good only during the call. */
  readonly receive: (bytes: Uint8Array) => void
  readonly ended: (reason: CameraFault) => void
}

const LEAVE_TIMEOUT_MS = 1000

/** A connection to the camera, over TLS if its address says so. */
export interface DialedSocket {
  readonly socket: Socket
  readonly certificate: Buffer | undefined
}

/** A connection without TLS. `receive`: as in {@link CameraConnect}. */
export function dialPlain(
  { address: { host, port }, connect, signal }: TransportOptions,
  receive?: (bytes: Uint8Array) => void,
) {
  return connect({ host, port, signal, ...(receive === undefined ? {} : { receive }) })
}

/** A connection, over TLS if the address says so. */
export async function dial(options: TransportOptions): Promise<Result<DialedSocket, CameraFault>> {
  const { address, pin, signal } = options
  const connected = await dialPlain(options)
  if (!connected.ok) return connected
  if (address.isSecure !== true) return ok({ socket: connected.value, certificate: undefined })
  return await secureCamera(connected.value, { host: address.host, pin, signal })
}

/** Calls back with the reason when the socket ends. */
export function watchEnd(socket: Socket, ended: (reason: CameraFault) => void): void {
  socket.on('error', (error) => {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unknown reason'
    ended(fault('closed', `the connection was lost (${code})`))
  })
  socket.on('end', () => ended(fault('closed', 'the camera closed the connection')))
  socket.on('close', () => ended(fault('closed', 'the connection was closed')))
  if (socket.destroyed) ended(fault('closed', 'the connection was closed'))
}

/** Ends a socket as soon as everything is sent. */
export function finishSocket(socket: Socket): void {
  socket.destroySoon()
  const tooLong = setTimeout(() => socket.destroy(), LEAVE_TIMEOUT_MS)
  socket.once('close', () => clearTimeout(tooLong))
}
