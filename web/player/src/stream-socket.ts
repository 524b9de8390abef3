import { type StreamClientMessage, type StreamServerMessage, streamServerMessage } from '@sightline/contract/streams'

export type SocketEvent =
  | { readonly kind: 'message'; readonly message: StreamServerMessage }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** The connection ended without a word: worth another try. */
  | { readonly kind: 'lost' }

export interface StreamSocket {
  /** What is sent before the connection is open goes out as soon as it is. */
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
    if (typeof event.data !== 'string') {
      on({ kind: 'bytes', bytes: new Uint8Array(event.data) })
      return
    }
    const message = parse(event.data)
    if (message === undefined) return
    ended ||= message.type === 'end'
    on({ kind: 'message', message })
  })
  socket.addEventListener('close', () => {
    if (!closed && !ended) on({ kind: 'lost' })
  })
  return {
    send(message) {
      const text = JSON.stringify(message)
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
      else if (socket.readyState === WebSocket.CONNECTING) {
        socket.addEventListener('open', () => socket.send(text), { once: true })
      }
    },
    close() {
      closed = true
      socket.close()
    },
  }
}

function parse(text: string): StreamServerMessage | undefined {
  try {
    return streamServerMessage.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
