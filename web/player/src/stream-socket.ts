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

/** A press on a link that takes longer opens nothing, or opens it anew. */
const PREPARED_MS = 3000

interface PreparedSocket {
  readonly address: string
  readonly opened: OpenedSocket
  readonly unused: ReturnType<typeof setTimeout>
}

let prepared: PreparedSocket | undefined

/**
 * Connects to a stream whose page is about to open. What arrives waits for the next {@link openStreamSocket} with this address; without
 * one, the connection ends after three seconds.
 */
export function prepareStreamSocket(address: string): void {
  closePrepared()
  const opened = connect(address, FIRST_MESSAGE_MS)
  prepared = { address, opened, unused: setTimeout(closePrepared, PREPARED_MS) }
}

function closePrepared(): void {
  takePrepared()?.close()
}

function takePrepared(): OpenedSocket | undefined {
  clearTimeout(prepared?.unused)
  const taken = prepared?.opened
  prepared = undefined
  return taken
}

/**
 * One connection to a camera's stream, lost if its first message takes longer than `firstMessageMs`. Ignores messages that the
 * contract does not define.
 */
export function openStreamSocket(
  address: string,
  on: (event: SocketEvent) => void,
  { firstMessageMs = FIRST_MESSAGE_MS }: { readonly firstMessageMs?: number } = {},
): StreamSocket {
  const ready = prepared?.address === address ? takePrepared() : undefined
  const opened = ready ?? connect(address, firstMessageMs)
  opened.listen(on)
  return opened
}

interface OpenedSocket extends StreamSocket {
  /** Delivers what has already arrived right away. */
  listen(on: (event: SocketEvent) => void): void
}

function connect(address: string, firstMessageMs: number): OpenedSocket {
  const socket = new WebSocket(address)
  socket.binaryType = 'arraybuffer'
  const waiting: SocketEvent[] = []
  let on = (event: SocketEvent): void => void waiting.push(event)
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
    listen(listener) {
      on = listener
      for (const event of waiting.splice(0)) listener(event)
    },
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
