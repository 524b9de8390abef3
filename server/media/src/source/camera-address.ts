import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { type AddressRules, addressRule } from '@sightline/platform/network-address'
import { fail, ok, type Result } from '@sightline/platform/result'
import { type CameraFault, fault, quoted } from './camera-fault.ts'

/**
 * Opens a connection to a camera. `receive`, if given, gets all incoming bytes in ONE buffer that is reused for the
 * next piece: the receiver must copy what it needs after the call. Without it the socket behaves as usual.
 */
export type CameraConnect = (target: CameraTarget) => Promise<Result<Socket, CameraFault>>

export interface CameraTarget {
  /** A name or an address; IPv6 without brackets. */
  readonly host: string
  readonly port: number
  readonly signal: AbortSignal
  readonly receive?: (bytes: Uint8Array) => void
}

const CONNECT_TIMEOUT_MS = 5000
/** A hostile name may resolve to any number of addresses. */
const MAX_ADDRESSES = 8
const RECEIVE_BUFFER_BYTES = 32_768

/**
 * Resolves the name, checks all its addresses, and connects to a checked address itself, so that nothing is resolved
 * twice. The check is repeated at each call, and so at each reconnect.
 */
export function checkedConnect(rules: AddressRules): CameraConnect {
  const mayReach = addressRule(rules)
  return async (target) => {
    const signal = AbortSignal.any([target.signal, AbortSignal.timeout(CONNECT_TIMEOUT_MS)])
    const addresses = await resolve(target.host, signal)
    if (!addresses.ok) return addresses
    if (!addresses.value.every(mayReach)) {
      return fail(
        fault(
          'addressRefused',
          `camera address ${quoted(target.host)} is not in an allowed network (SIGHTLINE_CAMERA_NETWORKS)`,
        ),
      )
    }
    let last: CameraFault = fault('unreachable', `host name ${quoted(target.host)} has no address`)
    for (const address of addresses.value) {
      const attempt = await connectTo(address, { ...target, signal })
      if (attempt.ok) return attempt
      last = attempt.failure
    }
    return fail(last)
  }
}

async function resolve(host: string, signal: AbortSignal): Promise<Result<readonly string[], CameraFault>> {
  if (isIP(host) !== 0) return ok([host])
  const aborted = Promise.withResolvers<undefined>()
  const abort = (): void => aborted.resolve(undefined)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    const found = await Promise.race([lookup(host, { all: true }), aborted.promise])
    if (found === undefined) return fail(fault('unreachable', `looking up host name ${quoted(host)} timed out`))
    return ok(found.slice(0, MAX_ADDRESSES).map((entry) => entry.address))
  } catch (error) {
    return fail(fault('unreachable', `could not look up host name ${quoted(host)} (${reasonOf(error)})`))
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function connectTo(address: string, { port, signal, receive }: CameraTarget): Promise<Result<Socket, CameraFault>> {
  if (signal.aborted)
    return Promise.resolve(fail(fault('unreachable', `no response from port ${port} within ${CONNECT_TIMEOUT_MS} ms`)))
  const { promise, resolve: settle } = Promise.withResolvers<Result<Socket, CameraFault>>()
  const socket = connect({
    host: address,
    port,
    noDelay: true,
    ...(receive === undefined ? {} : { onread: intoOneBuffer(receive) }),
  })
  const abort = (): void =>
    give(fail(fault('unreachable', `no response from port ${port} within ${CONNECT_TIMEOUT_MS} ms`)))
  const refuse = (error: Error): void =>
    give(fail(fault('unreachable', `could not connect to port ${port} (${reasonOf(error)})`)))
  const accept = (): void => give(ok(socket))
  const give = (outcome: Result<Socket, CameraFault>): void => {
    signal.removeEventListener('abort', abort)
    socket.off('connect', accept)
    if (!outcome.ok) socket.destroy()
    settle(outcome)
  }
  // The listener stays: an error without one would end the process, and an aborted socket may still report one.
  socket.on('error', refuse)
  socket.once('connect', accept)
  signal.addEventListener('abort', abort, { once: true })
  return promise
}

/** One buffer for the life of the connection: no allocation and no trimming copy for each read. */
function intoOneBuffer(receive: (bytes: Uint8Array) => void) {
  const buffer = new Uint8Array(RECEIVE_BUFFER_BYTES)
  return {
    buffer,
    callback: (length: number): boolean => {
      receive(buffer.subarray(0, length))
      return true
    },
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown reason'
