import { type StreamClientMessage, type StreamServerMessage, streamServerMessage } from '@sightline/contract/streams'

export type SocketEvent =
  | { readonly kind: 'message'; readonly message: StreamServerMessage }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** The connection ended without an `end` message: try again. */
  | { readonly kind: 'lost' }

export interface StreamSocket {
  /** Messages sent before the connection opens are delivered once it does. */
  send(message: StreamClientMessage): void
  /** Resolves once the connection is made, or can't be. */
  readonly attempted: Promise<void>
  close(): void
}

/** A server says within some seconds what it shows, or why it can't show it. */
const FIRST_MESSAGE_MS = 15_000

/**
 * One connection to a camera's stream, lost if its first message takes longer than `firstMessageMs`. Ignores messages that the
 * contract does not define.
 */
export function openStreamSocket(
  address: string,
  on: (event: SocketEvent) => void,
  { firstMessageMs = FIRST_MESSAGE_MS }: { readonly firstMessageMs?: number } = {},
): StreamSocket {
  const socket = new WebSocket(address)
  socket.binaryType = 'arraybuffer'
  let closed = false
  let ended = false
  const attempted = Promise.withResolvers<void>()
  socket.addEventListener('open', () => attempted.resolve())
  const silent = setTimeout(() => {
    if (closed) return
    closed = true
    socket.close()
    on({ kind: 'lost' })
  }, firstMessageMs)
  socket.addEventListener('message', (event: MessageEvent<ArrayBuffer | string>) => {
    if (closed) return
    clearTimeout(silent)
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
    attempted.resolve()
    clearTimeout(silent)
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
    attempted: attempted.promise,
    close() {
      closed = true
      clearTimeout(silent)
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
