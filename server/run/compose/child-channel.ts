import { flushCompileCache } from 'node:module'
import { Socket } from 'node:net'
import { StartError } from '@sightline/platform/startup'
import { BEAT_EVERY_MS } from './pulse.ts'

/** Messages from the parent. */
export type ToChild<Start, Incoming> =
  /** `recalled`: what the process before it asked to remember. */
  | { readonly kind: 'settings'; readonly settings: Start; readonly recalled?: unknown }
  | { readonly kind: 'message'; readonly message: Incoming }
  /** Sent with a connection, which is answered by `arrived`; `read` is what the parent has read of it and not used. */
  | { readonly kind: 'connection'; readonly id: number; readonly message: Incoming; readonly read: Uint8Array }
  /** The parent has closed its end of the connection. */
  | { readonly kind: 'released'; readonly id: number }
  | { readonly kind: 'stop' }

/** Messages from the child. */
export type FromChild<Outgoing> =
  /** Its event loop runs. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly sentence: string }
  /** The process has the connection with this number now. */
  | { readonly kind: 'arrived'; readonly id: number }
  | { readonly kind: 'message'; readonly message: Outgoing }
  /** For the process that is started after this one. */
  | { readonly kind: 'remember'; readonly memory: unknown }

/** The child's end. */
export interface ParentChannel<Incoming, Outgoing> {
  send(message: Outgoing): void
  /** Receives the parent's messages and connections; messages before the first listener are queued. */
  onMessage(listener: (message: Incoming, connection: Socket | undefined) => void): void
  /** The parent keeps this, in memory only, for the process that it starts if this one dies; the last one counts. */
  remember(memory: unknown): void
  /** What the process before this one asked to remember; undefined for the first. That process has ended. */
  readonly recalled: unknown
  /** Aborted when the process is to end. */
  readonly signal: AbortSignal
}

/** A part that hasn't stopped by then is stuck; a process must not outlive its parent. */
const STOP_MS = 5000

/**
 * The main function of a child process: waits for its settings, starts, and ends on the parent's request or death.
 * Children ignore Ctrl-C and the terminal's closing, which the parent handles.
 */
export function runAsChild<Start, Incoming, Outgoing>(
  start: (settings: Start, channel: ParentChannel<Incoming, Outgoing>) => Promise<AsyncDisposable>,
): void {
  const tell = (message: FromChild<Outgoing>) => process.connected && process.send?.(message)
  const stopping = new AbortController()
  const kept: [Incoming, Socket | undefined][] = []
  let listener = (message: Incoming, connection?: Socket): void => {
    kept.push([message, connection])
  }
  const arrivals = connectionArrivals<Incoming>(
    (id) => tell({ kind: 'arrived', id }),
    (message, connection) => listener(message, connection),
  )
  const channel = {
    send: (message: Outgoing) => void tell({ kind: 'message', message }),
    remember: (memory: unknown) => void tell({ kind: 'remember', memory }),
    onMessage(listen: typeof listener) {
      listener = listen
      for (const [message, connection] of kept.splice(0)) listen(message, connection)
    },
    signal: stopping.signal,
  }
  setInterval(() => tell({ kind: 'alive' }), BEAT_EVERY_MS).unref()
  let running: Promise<AsyncDisposable> | undefined
  const begin = ({ settings, recalled }: { readonly settings: Start; readonly recalled?: unknown }): void => {
    running = start(settings, { ...channel, recalled })
    running.then(
      () => tell({ kind: 'ready' }),
      (error: unknown) => {
        if (error instanceof StartError) tell({ kind: 'refused', sentence: error.message })
        else console.error(error)
        process.exitCode = 1
        process.disconnect?.()
      },
    )
  }
  const end = async (): Promise<void> => {
    if (stopping.signal.aborted) return
    stopping.abort()
    setTimeout(() => leave(1), STOP_MS).unref()
    const part = await running?.catch(() => undefined)
    await part?.[Symbol.asyncDispose]()
    // Node.js waits forever, at full load, for a connection that the end of the process found half closed.
    process.once('disconnect', () => process.exit())
    if (process.connected) process.disconnect()
    else leave(0)
  }
  process.on('message', (message: ToChild<Start, Incoming>, handle: unknown) => {
    if (message.kind === 'settings') begin(message)
    else if (message.kind === 'message') listener(message.message)
    else if (message.kind === 'connection') arrivals.arrived(message, handle)
    else if (message.kind === 'released') arrivals.released(message.id)
    else void end()
  })
  process.on('disconnect', () => void end())
  for (const name of ['SIGINT', 'SIGHUP'] as const) process.on(name, () => undefined)
  process.on('SIGTERM', () => void end())
}

/**
 * Node.js sometimes hangs in its own end, waiting for a thread of V8. A parent ends a process that does; one without a parent
 * ends itself by a signal, which nothing keeps waiting.
 */
function leave(code: number): void {
  if (process.connected) process.exit(code)
  flushCompileCache()
  process.kill(process.pid, 'SIGKILL')
}

type Arrival<Incoming> = Pick<Extract<ToChild<never, Incoming>, { kind: 'connection' }>, 'id' | 'message' | 'read'>

/** Connections from the parent wait until it has closed its end, because it might read from them until then. */
function connectionArrivals<Incoming>(
  onArrival: (id: number) => void,
  listen: (message: Incoming, connection: Socket) => void,
) {
  const waiting = new Map<number, { readonly message: Incoming; readonly connection: Socket }>()
  return {
    arrived({ id, message, read }: Arrival<Incoming>, connection: unknown): void {
      // Without a connection the peer disconnected on the way here.
      if (connection instanceof Socket) {
        if (read.length > 0) connection.unshift(read)
        waiting.set(id, { message, connection })
      }
      onArrival(id)
    },
    released(id: number): void {
      const arrived = waiting.get(id)
      waiting.delete(id)
      if (arrived !== undefined) listen(arrived.message, arrived.connection)
    },
  }
}
