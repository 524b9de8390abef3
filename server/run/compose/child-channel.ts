import type { SendHandle } from 'node:child_process'
import { StartError } from '@sightline/platform/startup'
import { BEAT_EVERY_MS } from './pulse.ts'

/** Messages from the parent. */
export type ToChild<Start, Incoming> =
  | { readonly kind: 'settings'; readonly settings: Start }
  | { readonly kind: 'message'; readonly message: Incoming }
  | { readonly kind: 'stop' }

/** Messages from the child. */
export type FromChild<Outgoing> =
  /** Its event loop runs. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'message'; readonly message: Outgoing }

/** The child's end. */
export interface ParentChannel<Incoming, Outgoing> {
  send(message: Outgoing): void
  /** Receives the parent's messages and sockets; messages before the first listener are queued. */
  onMessage(listener: (message: Incoming, handle: SendHandle | undefined) => void): void
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
  const kept: [Incoming, SendHandle | undefined][] = []
  let listener = (message: Incoming, handle: SendHandle | undefined): void => {
    kept.push([message, handle])
  }
  const channel: ParentChannel<Incoming, Outgoing> = {
    send: (message) => void tell({ kind: 'message', message }),
    onMessage(listen) {
      listener = listen
      for (const [message, handle] of kept.splice(0)) listen(message, handle)
    },
    signal: stopping.signal,
  }
  setInterval(() => tell({ kind: 'alive' }), BEAT_EVERY_MS).unref()
  let running: Promise<AsyncDisposable> | undefined
  const begin = (settings: Start): void => {
    running = start(settings, channel)
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
    setTimeout(() => process.exit(1), STOP_MS).unref()
    const part = await running?.catch(() => undefined)
    await part?.[Symbol.asyncDispose]()
    // Node.js waits forever, at full load, for a connection that the end of the process found half closed.
    process.once('disconnect', () => process.exit())
    if (process.connected) process.disconnect()
    else process.exit()
  }
  process.on('message', (message: ToChild<Start, Incoming>, handle: SendHandle | undefined) => {
    if (message.kind === 'settings') begin(message.settings)
    else if (message.kind === 'message') listener(message.message, handle)
    else void end()
  })
  process.on('disconnect', () => void end())
  for (const name of ['SIGINT', 'SIGHUP'] as const) process.on(name, () => undefined)
  process.on('SIGTERM', () => void end())
}
