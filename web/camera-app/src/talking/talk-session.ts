import type { Client } from '@sightline/client'
import { MAX_TALK_S, TALK_PATH, type TalkEnd, talkServerMessage } from '@sightline/contract/camera-audio'
import { postStreamTicket } from '@sightline/contract/streams'
import { type Microphone, type MicrophoneFault, NoMicrophone, openMicrophone } from './microphone.ts'

export type TalkFault = MicrophoneFault | Exclude<TalkEnd, 'timeOver'> | 'unreachable'

export type TalkState =
  | { readonly kind: 'off' }
  | { readonly kind: 'opening' }
  | {
      readonly kind: 'talking'
      /** Of the voice, from 0 to 1. */
      readonly level: number
      /** Milliseconds since 1970. */
      readonly until: number
    }
  /** It ended otherwise than by the user. */
  | { readonly kind: 'ended'; readonly why: TalkFault | 'timeOver' }

/** The camera's loudspeaker is opened over the network. */
const OPENING_MS = 20_000
/** Every frame of 20 ms would be drawn more often than anyone sees. */
const LEVEL_MS = 100

/** One person's talk through the loudspeaker of a camera. */
export class TalkSession {
  readonly #onState: (state: TalkState) => void
  readonly #stopping = new AbortController()
  #microphone: Microphone | undefined
  #socket: WebSocket | undefined
  #until: number | undefined
  /** The loudest since it was shown. */
  #level = 0
  #shownAt = 0

  constructor(onState: (state: TalkState) => void) {
    this.#onState = onState
  }

  /** Asks for the microphone first, so that the user sees the browser's question before anything is opened. */
  async start(client: Client, cameraId: number): Promise<void> {
    this.#onState({ kind: 'opening' })
    const late = setTimeout(() => this.#end('timedOut'), OPENING_MS)
    this.#stopping.signal.addEventListener('abort', () => clearTimeout(late), { once: true })
    try {
      this.#microphone = await openMicrophone((frame) => this.#onFrame(frame))
      // The user stopped meanwhile, before there was something to close.
      if (this.#stopping.signal.aborted) return this.#microphone.close()
      const address = await talkAddress(client, cameraId)
      if (this.#stopping.signal.aborted) return
      this.#open(address, () => clearTimeout(late))
    } catch (error) {
      this.#end(error instanceof NoMicrophone ? error.fault : 'unreachable')
    }
  }

  /** The user has said what there was to say. */
  stop(): void {
    if (this.#stopping.signal.aborted) return
    this.#close()
    this.#onState({ kind: 'off' })
  }

  #open(address: string, onOpen: () => void): void {
    const socket = new WebSocket(address)
    this.#socket = socket
    socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const message = talkServerMessage.safeParse(JSON.parse(String(data))).data
      if (message?.type === 'end') this.#end(message.reason ?? faultOf(message.code))
      if (message?.type !== 'open') return
      onOpen()
      this.#until = Date.now() + Math.min(message.longestSeconds, MAX_TALK_S) * 1000
      this.#onState({ kind: 'talking', level: 0, until: this.#until })
    })
    socket.addEventListener('close', () => this.#end('unreachable'))
  }

  #onFrame({ sound, level }: { readonly sound: Uint8Array<ArrayBuffer>; readonly level: number }): void {
    if (this.#until === undefined || this.#socket?.readyState !== WebSocket.OPEN) return
    this.#socket.send(sound)
    this.#level = Math.max(this.#level, level)
    const now = performance.now()
    if (now - this.#shownAt < LEVEL_MS) return
    this.#onState({ kind: 'talking', level: this.#level, until: this.#until })
    this.#shownAt = now
    this.#level = 0
  }

  #end(why: TalkFault | 'timeOver'): void {
    if (this.#stopping.signal.aborted) return
    this.#close()
    this.#onState({ kind: 'ended', why })
  }

  #close(): void {
    this.#stopping.abort()
    this.#until = undefined
    this.#microphone?.close()
    this.#socket?.close()
  }
}

const faultOf = (code: number | undefined): TalkFault => {
  if (code === 4 || code === 9) return 'notAllowed'
  return code === 18 ? 'cameraOffline' : 'unreachable'
}

/** Beside the address of the camera's live video, with a one-time ticket. */
async function talkAddress(client: Client, cameraId: number): Promise<string> {
  const { ticket, streams = [] } = await client.call(postStreamTicket, { params: { cameraId }, body: { use: 'live' } })
  const address = new URL(streams[0]?.mseWss ?? '')
  address.pathname = TALK_PATH
  address.searchParams.set('ticket', ticket)
  return address.href
}
