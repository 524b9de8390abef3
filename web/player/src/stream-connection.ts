import type { StreamClientMessage } from '@sightline/contract/streams'
import { concurrencyLimit } from './concurrency-limit.ts'
import { expectPicture, stopExpecting } from './first-pictures.ts'
import { errorCode, errorText } from './sink.ts'
import { openStreamSocket, type SocketEvent, type StreamSocket } from './stream-socket.ts'
import { phaseOfEnd, retryDelay } from './view-state.ts'

export interface StreamConnectionSettings {
  /** The socket's URL with a new ticket; rejects if there is no ticket. */
  readonly address: () => Promise<string>
  /** The socket exists and takes messages. */
  readonly onOpen: () => void
  /** Called one after the other: choosing a decoder is asynchronous, and no event may be lost or out of order. */
  readonly onEvent: (event: Exclude<SocketEvent, { kind: 'lost' }>) => void | Promise<void>
  /** The user has no access, or the camera doesn't exist. */
  readonly onRefused: (code: number) => void
  /** It was lost, or there is no ticket, and will be opened again. */
  readonly onLost?: (detail: string | undefined) => void
}

/** Chromium makes others wait for up to five seconds while sixteen connections to a host are being made, and less with fewer. */
const connecting = concurrencyLimit(6)

/** A connection to a camera's stream. When it is lost, it is opened again, each time after a longer wait. */
export class StreamConnection {
  readonly #settings: StreamConnectionSettings
  #socket: StreamSocket | undefined
  /** Number of the current socket. Answers about older ones are ignored. */
  #generation = 0
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined

  constructor(settings: StreamConnectionSettings) {
    this.#settings = settings
  }

  get isOpen(): boolean {
    return this.#socket !== undefined
  }

  get failures(): number {
    return this.#failures
  }

  /** Ends what is open. */
  open(): void {
    this.close()
    expectPicture(this)
    void this.#connect()
  }

  openAgain(afterMs: number = retryDelay(++this.#failures)): void {
    this.close()
    this.#retry = setTimeout(() => void this.#connect(), afterMs)
  }

  /** What arrived could be shown. */
  succeed(): void {
    this.#failures = 0
    stopExpecting(this)
  }

  send(message: StreamClientMessage): void {
    this.#socket?.send(message)
  }

  close(): void {
    this.#generation++
    stopExpecting(this)
    clearTimeout(this.#retry)
    this.#socket?.close()
    this.#socket = undefined
  }

  async #connect(): Promise<void> {
    const mine = ++this.#generation
    try {
      const href = await this.#settings.address()
      await connecting(async () => {
        if (mine !== this.#generation) return
        const socket = openStreamSocket(href, this.#inOrder(mine))
        this.#socket = socket
        this.#settings.onOpen()
        await socket.attempted
      })
    } catch (error) {
      if (mine !== this.#generation) return
      const code = errorCode(error)
      if (code === undefined || phaseOfEnd(code) !== 'refused') return this.#lose(errorText(error))
      stopExpecting(this)
      this.#settings.onRefused(code)
    }
  }

  #inOrder(mine: number): (event: SocketEvent) => void {
    let before: Promise<void> = Promise.resolve()
    const handle = async (event: SocketEvent) => {
      if (mine !== this.#generation) return
      if (event.kind === 'lost') this.#lose(undefined)
      else await this.#settings.onEvent(event)
    }
    return (event) => {
      // What can't be read ends this connection; the events after it would wait for nothing.
      before = before
        .then(() => handle(event))
        .catch((error) => {
          if (mine === this.#generation) this.#lose(errorText(error))
        })
    }
  }

  #lose(detail: string | undefined): void {
    this.#settings.onLost?.(detail)
    this.openAgain()
  }
}
