/** Streams of one camera over WHEP, without a whole product; sessions are whatever the test says. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { tokenSessions } from '../../server/media/src/control/token-sessions-stage.ts'
import { whepStreams } from '../../server/media/src/control/whep-streams.ts'
import type { AccessUnit } from '../../server/media/src/frame/index.ts'
import { createHub, type Hub } from '../../server/media/src/hub/index.ts'
import { openWebRtcPort } from '../../server/media/src/webrtc/index.ts'
import { type FootageTrack, playTracks } from '../fixtures/footage.ts'

export interface WhepStage extends AsyncDisposable {
  readonly origin: string
  /** Where to post offers. */
  readonly url: string
  readonly udpPort: number
  readonly hub: Hub
  /** Sessions that are open, newest last; aborting one takes its permission. */
  readonly open: AbortController[]
  /** Why streams have ended, in order. */
  readonly ends: readonly string[]
  /** The camera goes away. */
  stopCamera(): void
}

export interface WhepStageOptions {
  readonly tracks: readonly FootageTrack[]
  readonly rights?: readonly string[]
  readonly address?: string
  /** Changes units before they are published. */
  readonly change?: (unit: AccessUnit) => AccessUnit
}

const PAGE = '<!doctype html><title>Player</title>'

/** An address of this machine that isn't loopback: some viewers have no candidate there. */
export const ownAddress = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address

export async function openWhepStage(options: WhepStageOptions): Promise<WhepStage> {
  const { tracks, rights = ['LiveCamera', 'microphone'], address = '127.0.0.1', change = (unit) => unit } = options
  const hub = createHub()
  const { sessions, open } = tokenSessions({ rights })
  const ends: string[] = []
  const bugs: unknown[] = []
  const port = await openWebRtcPort({
    host: address,
    port: 0,
    addresses: [address],
    onBug: (bug) => void bugs.push(bug),
  })
  const whep = whepStreams({
    workerId: 'media-1',
    port,
    sessions,
    channels: { hubOf: () => hub, isPrivate: () => false },
    onBegin: async () => undefined,
    onOverload: () => undefined,
    counted: async (_, stream) => {
      const reason = await stream()
      ends.push(String(reason))
      return reason
    },
  })
  const server = createServer((req, res) => {
    if (req.url === '/') res.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    else whep.handle(req, res, '192.0.2.1').catch(() => res.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stopping = new AbortController()
  const sending = sendFootage(hub, tracks, { change, signal: stopping.signal })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    url: `${origin}/stream/whep/open?camera_id=7&access_token=token`,
    udpPort: port.port,
    hub,
    open,
    ends,
    stopCamera: () => stopping.abort(),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await sending
      whep[Symbol.dispose]()
      await port[Symbol.asyncDispose]()
      server.closeAllConnections()
      server.close()
      if (bugs.length > 0) throw new AggregateError(bugs, 'bugs of WebRTC')
    },
  }
}

/** As a camera does, over and over; the run ends when it stops. */
async function sendFootage(
  hub: Hub,
  clips: readonly FootageTrack[],
  { change, signal }: { readonly change: (unit: AccessUnit) => AccessUnit; readonly signal: AbortSignal },
): Promise<void> {
  const [tracks, units] = playTracks(clips, { seconds: 120, wallClock: Date.now() })
  hub.publish({ kind: 'tracks', tracks })
  for (const { unit, track } of units) {
    const wait = unit.wallClock - Date.now()
    if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) break
    hub.publish({ kind: 'unit', unit: change(unit), track })
  }
  hub.publish({ kind: 'ended', cause: 'the test' })
}

/** A network between one viewer and the server. */
export interface Relay extends AsyncDisposable {
  readonly port: number
  /** Drops what the server sends if it says so. */
  lose: (datagram: Buffer) => boolean
  /** Drops everything. */
  isCut: boolean
}

export async function openRelay(serverPort: number): Promise<Relay> {
  const near = createSocket('udp4')
  const far = createSocket('udp4')
  await Promise.all([listen(near), listen(far)])
  let viewer: { address: string; port: number } | undefined
  const relay: Relay = {
    port: near.address().port,
    lose: () => false,
    isCut: false,
    async [Symbol.asyncDispose]() {
      near.close()
      far.close()
    },
  }
  near.on('message', (datagram, from) => {
    viewer = from
    if (!relay.isCut) far.send(datagram, serverPort, '127.0.0.1')
  })
  far.on('message', (datagram) => {
    if (viewer !== undefined && !relay.isCut && !relay.lose(datagram)) near.send(datagram, viewer.port, viewer.address)
  })
  return relay
}

async function listen(socket: Socket): Promise<void> {
  const bound = once(socket, 'listening')
  socket.bind(0, '127.0.0.1')
  await bound
}
