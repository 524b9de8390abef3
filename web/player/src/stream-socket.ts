import { type StreamClientMessage, type StreamServerMessage, streamServerMessage } from '@sightline/contract/streams'

export type SocketEvent =
  | { readonly kind: 'message'; readonly message: StreamServerMessage }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** The connection ended without a word: worth another try. */
  | { readonly kind: 'lost' }

export interface StreamSocket {
  send(message: StreamClientMessage): void
  close(): void
}

/** One connection to a camera's pictures. Messages that are not of the contract are passed over. */
export function openStreamSocket(address: string, on: (event: SocketEvent) => void): StreamSocket {
  const socket = new WebSocket(address)
  socket.binaryType = 'arraybuffer'
  let closed = false
  let ended = false
  socket.addEventListener('message', (event: MessageEvent<ArrayBuffer | string>) => {
    if (closed) return
    if (typeof event.data !== 'string') return on({ kind: 'bytes', bytes: new Uint8Array(event.data) })
    const parsed = streamServerMessage.safeParse(JSON.parse(event.data))
    if (!parsed.success) return
    ended ||= parsed.data.type === 'end'
    on({ kind: 'message', message: parsed.data })
  })
  socket.addEventListener('close', () => {
    if (!closed && !ended) on({ kind: 'lost' })
  })
  return {
    send(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
    },
    close() {
      closed = true
      socket.close()
    },
  }
}
