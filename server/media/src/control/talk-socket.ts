import { randomUUID } from 'node:crypto'
import {
  MAX_TALK_S,
  TALK_SAMPLE_RATE,
  type TalkEnd,
  type TalkServerMessage,
  talkRule,
} from '@sightline/contract/camera-audio'
import type { TalkAnswer } from '@sightline/contract/media-plane'
import { getDenyReason } from '@sightline/contract/rights'
import type { Db, IdSource } from '@sightline/platform/db'
import { type RawData, WebSocket } from 'ws'
import { usesSpeaker } from './store.ts'
import { recordTalk } from './stream-audit.ts'
import type { StreamSession } from './stream-sessions.ts'
import type { Talks } from './talks.ts'

export interface TalkSocketDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly talks: Pick<Talks, 'take'>
}

/** Someone who may watch the camera live; the socket is theirs until it closes. */
export interface Talker {
  readonly socket: WebSocket
  readonly session: StreamSession
  readonly address: string
}

/** How often it is checked that the loudspeaker may still be used; the session checks the rights. */
const CHECK_MS = 1000
/** More that waits for the camera is dropped, the oldest first: late speech is worse than a word that is missing. */
const MAX_WAITING_BYTES = TALK_SAMPLE_RATE
/** Half a second, as much as a camera's loudspeaker takes in one step. */
const PIECE_BYTES = TALK_SAMPLE_RATE / 2
/** A browser that sends nothing for so long is gone. */
const SILENCE_MS = 10_000
const CLOSE_TIMEOUT_MS = 2000

/**
 * Lets one person talk through a camera's loudspeaker: binary frames of µ-law sound, sent on as fast as the camera takes them. The audit
 * log says so before the first sound is heard. Resolves when the socket is closed.
 */
export async function serveTalk(talker: Talker, deps: TalkSocketDeps): Promise<void> {
  const { socket, session } = talker
  const waiting = new WaitingSound()
  const stopping = new AbortController()
  const stop = (reason: TalkOver) => stopping.abort(reason)
  socket.on('error', () => socket.terminate())
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  void closed.then(() => stop('left'))
  if (socket.readyState !== WebSocket.OPEN) stop('left')
  socket.on('message', (data, isBinary) => {
    if (isBinary) waiting.push(toBytes(data))
  })
  session.signal.addEventListener('abort', () => stop(whyEnded(session)), { once: true })
  stopping.signal.addEventListener('abort', () => waiting.end(), { once: true })
  const end = await talk(talker, deps, { waiting, stopping })
  say(socket, end === 'serverBusy' ? { type: 'end', code: 16 } : { type: 'end', reason: end })
  socket.close(1000)
  const late = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS)
  await closed
  clearTimeout(late)
}

/** `left`: the browser closed the socket. `serverBusy`: the worker ended the session, and it can be opened again. */
type TalkOver = TalkEnd | 'left' | 'serverBusy'

/** A stream continues without sound if the viewer loses the right to it; a talk ends. */
const whyEnded = ({ signal, hasLostSound }: StreamSession): TalkOver =>
  signal.reason === 16 && hasLostSound !== true ? 'serverBusy' : 'notAllowed'

interface Talking {
  readonly waiting: WaitingSound
  readonly stopping: AbortController
}

async function talk(
  { socket, session, address }: Talker,
  { db, ids, talks }: TalkSocketDeps,
  { waiting, stopping }: Talking,
): Promise<Exclude<TalkOver, 'left'>> {
  const { cameraId } = session
  if (getDenyReason(talkRule, session.caller) !== undefined) return 'notAllowed'
  if (!(await usesSpeaker(db, cameraId))) return 'speakerOff'
  const question = { cameraId, talkId: randomUUID() }
  const opened = await talks.take({ ...question, step: 'open', coding: 'PCMU' })
  if (opened.kind !== 'open') return whyNotHeard(opened.kind)
  const check = setInterval(() => {
    if (waiting.silentMs > SILENCE_MS) stopping.abort('ended')
    void usesSpeaker(db, cameraId).then(
      (isOn) => isOn || stopping.abort('speakerOff'),
      () => stopping.abort('ended'),
    )
  }, CHECK_MS)
  const over = setTimeout(() => stopping.abort('timeOver'), MAX_TALK_S * 1000)
  try {
    await recordTalk({ db, ids }, session, address)
    say(socket, { type: 'open', longestSeconds: MAX_TALK_S })
    for (let sound = await waiting.take(); sound !== undefined; sound = await waiting.take()) {
      const { kind } = await talks.take({ ...question, step: 'sound', sound })
      if (kind !== 'open') return whyNotHeard(kind)
    }
    const { reason } = stopping.signal
    return reason === 'left' ? 'ended' : (reason as Exclude<TalkOver, 'left'>)
  } finally {
    clearInterval(check)
    clearTimeout(over)
    await talks.take({ ...question, step: 'close' })
  }
}

/** Sound of this socket is G.711, which takes no decoder. */
const whyNotHeard = (kind: Exclude<TalkAnswer['kind'], 'open'>): Exclude<TalkOver, 'left'> =>
  kind === 'noDecoder' || kind === 'notSound' || kind === 'overloaded' ? 'ended' : kind

function say(socket: WebSocket, message: TalkServerMessage): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}

function toBytes(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data
}

/** What came and wasn't sent to the camera yet. */
class WaitingSound {
  #pieces: Uint8Array[] = []
  #bytes = 0
  #cameAt = performance.now()
  #isOver = false
  #wake: (() => void) | undefined

  get silentMs(): number {
    return performance.now() - this.#cameAt
  }

  push(sound: Uint8Array): void {
    this.#cameAt = performance.now()
    if (sound.length === 0 || this.#isOver) return
    this.#pieces.push(sound)
    this.#bytes += sound.length
    while (this.#bytes > MAX_WAITING_BYTES) this.#bytes -= this.#pieces.shift()?.length ?? this.#bytes
    this.#wake?.()
  }

  end(): void {
    this.#isOver = true
    this.#wake?.()
  }

  /** All that waits, at most half a second of it; undefined when nothing more will come. */
  async take(): Promise<Uint8Array | undefined> {
    while (this.#bytes === 0 && !this.#isOver)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    this.#wake = undefined
    if (this.#bytes === 0) return undefined
    const all = Buffer.concat(this.#pieces)
    const rest = all.subarray(PIECE_BYTES)
    this.#pieces = rest.length === 0 ? [] : [rest]
    this.#bytes = rest.length
    return all.subarray(0, PIECE_BYTES)
  }
}
