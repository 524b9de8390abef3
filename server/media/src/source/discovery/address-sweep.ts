import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DiscoveredCamera } from '@sightline/contract/media-plane'
import type { CameraConnect } from '../camera-address.ts'
import { secureCamera } from '../camera-tls.ts'
import { postToCamera } from '../onvif/onvif-http.ts'
import { envelope, parseReply } from '../onvif/soap.ts'
import { decodeXml } from '../onvif/xml.ts'

export interface AddressSweepOptions {
  readonly addresses: readonly string[]
  /** Checks each address again. */
  readonly connect: CameraConnect
  /** Whether an address has been found already; it isn't asked. */
  readonly isFound: (address: string) => boolean
  readonly onFound: (camera: DiscoveredCamera) => void
  /** One address is done. */
  readonly onStep: () => void
  readonly signal: AbortSignal
  /** The usual ones unless given. */
  readonly ports?: SweptPorts
}

export interface SweptPorts {
  readonly onvif: readonly number[]
  readonly rtsp: readonly number[]
  /** Over TLS. */
  readonly onvifTls?: readonly number[]
  readonly rtspTls?: readonly number[]
}

const USUAL_PORTS: SweptPorts = {
  onvif: [80, 8000, 8080, 8899],
  onvifTls: [443, 8443],
  rtsp: [554, 8554],
  rtspTls: [322],
}
/** 50 connections a second, whatever the number of ports. */
const CONNECT_EVERY_MS = 20
/** What is filtered doesn't answer at all. */
const CONNECT_MS = 1000
const REPLY_MS = 2000
/** Addresses at a time: enough for the rate while each waits. */
const AT_A_TIME = 64
const MAX_REPLY_BYTES = 16 * 1024
const DEVICE = 'http://www.onvif.org/ver10/device/wsdl'

/**
 * Connects to the usual ports of cameras at each address, for those that don't answer WS-Discovery. Nothing is sent but two questions
 * that every camera answers without a password: the time by ONVIF, and OPTIONS by RTSP. Whatever else listens there isn't listed.
 */
export async function sweepAddresses(options: AddressSweepOptions): Promise<void> {
  const { addresses, isFound, onFound, onStep, signal, ports = USUAL_PORTS } = options
  const turn = pace(signal)
  const waiting = [...addresses]
  const work = async (): Promise<void> => {
    for (let address = waiting.shift(); address !== undefined && !signal.aborted; address = waiting.shift()) {
      const camera = isFound(address) ? undefined : await identify(address, { ...options, ports, turn })
      if (camera !== undefined && !signal.aborted) onFound(camera)
      onStep()
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
}

/** Lets one pass at a time, at the rate of the sweep. */
function pace(signal: AbortSignal): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => sleep(CONNECT_EVERY_MS, undefined, { signal }).catch(() => undefined))
    return last
  }
}

interface Identifying extends Pick<AddressSweepOptions, 'connect' | 'signal'> {
  readonly ports: SweptPorts
  readonly turn: () => Promise<void>
}

/** Its ONVIF if it has one, otherwise its RTSP, each without TLS first; undefined if nothing answers. */
async function identify(address: string, options: Identifying): Promise<DiscoveredCamera | undefined> {
  const { ports, turn, signal } = options
  const ways = [
    { protocol: 'onvif', https: false, at: ports.onvif },
    { protocol: 'onvif', https: true, at: ports.onvifTls ?? [] },
    { protocol: 'rtsp', https: false, at: ports.rtsp },
    { protocol: 'rtsp', https: true, at: ports.rtspTls ?? [] },
  ] as const
  for (const { protocol, https, at } of ways)
    for (const port of at) {
      await turn()
      if (signal.aborted) return undefined
      const place = { host: address, port, isSecure: https }
      const answers = protocol === 'onvif' ? await answersOnvif(place, options) : await answersRtsp(place, options)
      if (answers) return { address, port, https, protocol, foundBy: 'address', ...NO_TEXTS }
    }
  return undefined
}

interface AskedPlace {
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
}

/** What is asked is no secret, so any certificate will do. */
const ANY_CERTIFICATE = { sha256: undefined }

const NO_TEXTS = { name: '', brand: '', model: '', ethMacAddress: '' }

async function answersOnvif(place: AskedPlace, { connect, signal }: Identifying): Promise<boolean> {
  const operation = 'GetSystemDateAndTime'
  const reply = await postToCamera({
    address: { ...place, path: '/onvif/device_service' },
    body: envelope('', `<o:${operation} xmlns:o="${DEVICE}"/>`),
    action: `${DEVICE}/${operation}`,
    authorization: undefined,
    connect,
    pin: ANY_CERTIFICATE,
    timeoutMs: REPLY_MS,
    maxReplyBytes: MAX_REPLY_BYTES,
    signal,
  })
  // A fault is an answer too. Other web servers send pages.
  return reply.ok && parseReply(decodeXml(reply.value.bytes), operation) !== undefined
}

async function answersRtsp({ host, port, isSecure }: AskedPlace, { connect, signal }: Identifying): Promise<boolean> {
  const connected = await connect({ host, port, signal: AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]) })
  if (!connected.ok) return false
  try {
    const socket = isSecure ? await secured(connected.value, host, signal) : connected.value
    if (socket === undefined) return false
    const name = host.includes(':') ? `[${host}]` : host
    const scheme = isSecure ? 'rtsps' : 'rtsp'
    socket.write(`OPTIONS ${scheme}://${name}:${port}/ RTSP/1.0\r\nCSeq: 1\r\nUser-Agent: Sightline\r\n\r\n`)
    return (await firstBytes(socket, signal)).startsWith('RTSP/1.0 ')
  } finally {
    connected.value.destroy()
  }
}

/** Undefined if no TLS is spoken there. */
async function secured(plain: Socket, host: string, signal: AbortSignal): Promise<Socket | undefined> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(REPLY_MS)])
  const done = await secureCamera(plain, { host, pin: ANY_CERTIFICATE, signal: limit })
  return done.ok ? done.value.socket : undefined
}

/** The beginning of what comes; empty if nothing does. */
const firstBytes = (socket: Socket, signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    const late = setTimeout(() => done(''), REPLY_MS)
    const stop = () => done('')
    const done = (text: string) => {
      clearTimeout(late)
      signal.removeEventListener('abort', stop)
      resolve(text)
    }
    signal.addEventListener('abort', stop)
    socket.once('data', (bytes) => done(bytes.toString('latin1').slice(0, 64)))
    socket.once('error', stop)
    socket.once('close', stop)
  })
