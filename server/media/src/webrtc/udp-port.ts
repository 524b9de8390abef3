import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { selfSignedPair } from '@sightline/platform/certificate'
import type { DtlsIdentity } from './dtls-server.ts'
import { newIceCredentials } from './ice.ts'
import { type Endpoint, isStun, readStun, type StunMessage } from './stun.ts'
import { type ViewerOptions, WebRtcViewer } from './viewer.ts'

export interface WebRtcPortOptions {
  /** The address to listen on. */
  readonly host: string
  readonly port: number
  /** IP addresses where viewers reach it. */
  readonly addresses: readonly string[]
  readonly onBug: (error: unknown) => void
  readonly limits?: ViewerOptions['limits']
}

/** A UDP port that all viewers of a worker share. */
export interface WebRtcPort extends AsyncDisposable {
  readonly port: number
  connect(viewer: Pick<ViewerOptions, 'hub' | 'offer' | 'chosen' | 'soundNote'>): WebRtcViewer
}

/** More that waits in the kernel is more than the network takes. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024
/** Viewers keep to the size of packets on the way; more would only cost time. */
const MAX_DATAGRAM = 2048
/** Addresses of one viewer: its network may change while it watches. */
const MAX_ENDPOINTS = 4
const DAY_MS = 86_400_000
const CERTIFICATE_DAYS = 365

const keyOf = ({ address, port }: Endpoint): string => `${address} ${port}`

/** A certificate of its own for each start: the answer names its fingerprint, and nobody has to know it otherwise. */
function newIdentity(): DtlsIdentity & { readonly fingerprint: string } {
  const now = Date.now()
  const validity = { notBefore: now - DAY_MS, notAfter: now + CERTIFICATE_DAYS * DAY_MS }
  const { cert, key } = selfSignedPair({ names: ['webrtc'], ...validity })
  const certificate = new X509Certificate(cert).raw
  const digest = createHash('sha256').update(certificate).digest('hex').toUpperCase()
  return { certificate, key: createPrivateKey(key), fingerprint: (digest.match(/../g) ?? []).join(':') }
}

/** Fails if the port is taken. */
export async function openWebRtcPort(options: WebRtcPortOptions): Promise<WebRtcPort> {
  const { host, port, addresses, onBug, limits } = options
  const family = isIPv6(host) ? 6 : 4
  // Addresses are never names, so none is looked up.
  const socket = createSocket({
    type: `udp${family}`,
    ipv6Only: false,
    lookup: (address, _, done) => done(null, address, family),
  })
  const bound = once(socket, 'listening')
  socket.bind({ port, address: host, exclusive: true })
  await bound
  socket.on('error', onBug)
  const identity = newIdentity()
  const viewers = new Viewers(onBug)
  socket.on('message', (datagram, from) => viewers.take(datagram, from))
  const local = { fingerprint: identity.fingerprint, addresses, port: socket.address().port }
  return {
    port: local.port,
    connect({ hub, offer, chosen, soundNote }) {
      const credentials = newIceCredentials()
      const viewer = new WebRtcViewer({
        hub,
        offer,
        chosen,
        soundNote,
        identity,
        local: { ...local, ...credentials },
        send: (datagram, to) => send(socket, datagram, to),
        isCongested: () => socket.getSendQueueSize() > MAX_WAITING_BYTES,
        onBug,
        ...(limits && { limits }),
      })
      viewers.add(credentials.ufrag, viewer)
      return viewer
    },
    async [Symbol.asyncDispose]() {
      viewers.endAll()
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
}

/** An address that can't be reached is like a viewer that doesn't answer. */
function send(socket: Socket, datagram: Uint8Array, { address, port }: Endpoint): void {
  try {
    socket.send(datagram, port, address, () => undefined)
  } catch {
    // The port was closed meanwhile.
  }
}

/** Finds the viewer that a datagram is from; strangers get no answer at all. */
class Viewers {
  readonly #byName = new Map<string, WebRtcViewer>()
  readonly #byEndpoint = new Map<string, WebRtcViewer>()
  readonly #endpoints = new Map<WebRtcViewer, readonly string[]>()

  readonly #onBug: (error: unknown) => void

  constructor(onBug: (error: unknown) => void) {
    this.#onBug = onBug
  }

  add(ufrag: string, viewer: WebRtcViewer): void {
    this.#byName.set(ufrag, viewer)
    void viewer.ended.then(() => {
      this.#byName.delete(ufrag)
      this.#forget(this.#endpoints.get(viewer) ?? [], viewer)
      this.#endpoints.delete(viewer)
    })
  }

  /** Recording must not stop for a bad datagram: a bug ends only the viewer that triggered it. */
  take(datagram: Buffer, from: RemoteInfo): void {
    if (datagram.length > MAX_DATAGRAM) return
    const known = this.#byEndpoint.get(keyOf(from))
    try {
      this.#take(datagram, from, known)
    } catch (error) {
      this.#onBug(error)
      known?.end('a bug')
    }
  }

  #take(datagram: Buffer, from: Endpoint, known: WebRtcViewer | undefined): void {
    const message = readStun(datagram)
    if (!isStun(datagram)) known?.take(datagram)
    else if (message?.kind === 'success') known?.takeCheck(message, from)
    else if (message !== undefined) this.#takeRequest(message, from, known)
  }

  endAll(): void {
    for (const viewer of this.#byName.values()) viewer.end('the server stops')
  }

  #takeRequest(message: StunMessage, from: Endpoint, known: WebRtcViewer | undefined): void {
    const viewer = this.#byName.get(message.username?.split(':', 1)[0] ?? '')
    if (viewer === undefined) return
    // Nobody takes the address of a viewer that has answered there.
    if (
      known !== undefined &&
      known !== viewer &&
      known.confirmed !== undefined &&
      keyOf(known.confirmed) === keyOf(from)
    )
      return
    viewer.takeCheck(message, from)
    if (viewer.isKnown(from) && known !== viewer) this.#learn(from, viewer)
  }

  #learn(from: Endpoint, viewer: WebRtcViewer): void {
    const key = keyOf(from)
    const others = (this.#endpoints.get(viewer) ?? []).filter((each) => each !== key)
    const confirmed = viewer.confirmed && keyOf(viewer.confirmed)
    // Somebody who repeats its checks from many addresses doesn't push the viewer out.
    const oldest = others.length < MAX_ENDPOINTS ? undefined : others.find((each) => each !== confirmed)
    if (oldest !== undefined) this.#forget([oldest], viewer)
    this.#endpoints.set(viewer, [...others.filter((each) => each !== oldest), key])
    this.#byEndpoint.set(key, viewer)
  }

  #forget(keys: readonly string[], viewer: WebRtcViewer): void {
    for (const key of keys) if (this.#byEndpoint.get(key) === viewer) this.#byEndpoint.delete(key)
  }
}
