import { isIP, type Socket } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { fail, ok, type Result } from '@sightline/platform/result'
import { type CameraFault, fault } from './camera-fault.ts'

/** How a camera's certificate is judged. Cameras sign their own; the one that was seen when the camera was added is pinned. */
export interface CertificatePin {
  /** SHA-256 of the certificate (DER) that the camera has to show; undefined: any, for a camera that is being added. */
  readonly sha256: Buffer | undefined
}

export interface SecuredSocket {
  readonly socket: TLSSocket
  /** SHA-256 of the certificate that the camera showed. */
  readonly certificate: Buffer
}

const HANDSHAKE_TIMEOUT_MS = 5000

/**
 * TLS over a connection that was opened by the checked dialer. A certificate other than the pinned one is refused before a byte
 * of a request is sent, unless a known authority signed it for this host. The socket is destroyed on failure.
 */
export async function secureCamera(
  plain: Socket,
  { host, pin, signal }: { readonly host: string; readonly pin: CertificatePin; readonly signal: AbortSignal },
): Promise<Result<SecuredSocket, CameraFault>> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(HANDSHAKE_TIMEOUT_MS)])
  const socket = connect({
    socket: plain,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    host,
    // Judged below: most cameras sign their certificate themselves, with keys that are short by the standards of today.
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    ciphers: 'DEFAULT:@SECLEVEL=0',
  })
  const { promise, resolve } = Promise.withResolvers<CameraFault | undefined>()
  const abort = (): void => resolve(fault('timeout', `no TLS handshake within ${HANDSHAKE_TIMEOUT_MS} ms`))
  // The listener stays: an error without one would end the process.
  socket.on('error', (error) => resolve(fault('badReply', `expected a TLS handshake (${codeOf(error)})`)))
  socket.once('close', () => resolve(fault('closed', 'the camera closed the connection during the TLS handshake')))
  socket.once('secureConnect', () => resolve(undefined))
  limit.addEventListener('abort', abort, { once: true })
  if (limit.aborted) abort()
  const problem = await promise
  limit.removeEventListener('abort', abort)
  const certificate = problem === undefined ? fingerprint(socket) : undefined
  if (certificate !== undefined && isTrusted(socket, certificate, pin)) return ok({ socket, certificate })
  socket.destroy()
  return fail(problem ?? certificateChanged)
}

const certificateChanged = fault(
  'certificateChanged',
  'the camera shows another certificate than when it was added; add it again if its certificate was changed on purpose',
)

const isTrusted = (socket: TLSSocket, shown: Buffer, { sha256 }: CertificatePin): boolean =>
  sha256 === undefined || socket.authorized || sha256.equals(shown)

function fingerprint(socket: TLSSocket): Buffer | undefined {
  const { fingerprint256 } = socket.getPeerCertificate()
  return fingerprint256 === undefined ? undefined : Buffer.from(fingerprint256.replaceAll(':', ''), 'hex')
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : 'unknown reason')
