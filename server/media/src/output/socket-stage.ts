/** For tests, here and in other folders: a viewer at the other end of a real WebSocket. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type StreamServerMessage, streamServerMessage } from '@sightline/contract/streams'
import { WebSocket, WebSocketServer } from 'ws'

/** What one viewer received over a WebSocket. */
export interface WatchResult {
  readonly messages: readonly StreamServerMessage[]
  /** Initialisation segments and fragments, one behind the other. */
  readonly bytes: readonly Uint8Array[]
  readonly closed: Promise<void>
  /** Revokes the permission to watch. */
  revoke(): void
}

/** Opens a WebSocket whose other end is served by `serve`, until that resolves. */
export async function watchSocket(
  serve: (socket: WebSocket, signal: AbortSignal) => Promise<unknown>,
): Promise<WatchResult> {
  const http = createServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  const sockets = new WebSocketServer({ server: http })
  const permission = new AbortController()
  sockets.once('connection', (peer) => {
    void serve(peer, permission.signal).finally(() => http.close())
  })
  const socket = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`)
  const messages: StreamServerMessage[] = []
  const bytes: Uint8Array[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) bytes.push(data)
    else messages.push(streamServerMessage.parse(JSON.parse(data.toString())))
  })
  const closed = once(socket, 'close').then(() => undefined)
  await once(socket, 'open')
  return { messages, bytes, closed, revoke: () => permission.abort(16) }
}
