import type { StreamServerMessage } from '@sightline/contract/streams'
import { type RawData, WebSocket } from 'ws'
import { type AccessUnit, TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import type { Hub, HubMessage, HubReader } from '../hub/index.ts'
import { browserTracks, initSegment, mime } from '../mux/index.ts'
import { HeldStart } from './held-start.ts'
import { LiveFragments } from './live-fragment.ts'

/** Codes of the error catalogue (api.md §12): gone, rights changed, offline, overloaded, camera offline, timed out. */
export type LiveEndCode = 4 | 9 | 14 | 16 | 18 | 19

export interface LiveLimits {
  /** What may wait for one viewer in the hub. A running group of pictures larger than this is not replayed. */
  readonly maxQueuedBytes: number
  /** Beyond this in the socket nothing more is written until it has drained. */
  readonly maxSocketBytes: number
  /** A socket that drains this slowly has made the viewer late, who then continues with the next key picture. */
  readonly lateAfterMs: number
  /** A socket that doesn't drain at all for this long is closed. */
  readonly stuckAfterMs: number
  readonly pingEveryMs: number
  /** A viewer survives so short an absence of the camera. */
  readonly offlineGraceMs: number
  /** The tracks are known, but no key picture arrives. */
  readonly firstPictureMs: number
}

const DEFAULT_LIMITS: LiveLimits = {
  maxQueuedBytes: 16 * 1024 * 1024,
  maxSocketBytes: 512 * 1024,
  lateAfterMs: 1000,
  stuckAfterMs: 15_000,
  pingEveryMs: 10_000,
  offlineGraceMs: 5000,
  firstPictureMs: 30_000,
}

export interface LiveSocketOptions {
  /**
   * Open, and authorized for this camera; owned by this module from now on. Its maxPayload limits what a client may
   * send.
   */
  readonly socket: WebSocket
  readonly hub: Hub
  /** Sound needs a separate right. */
  readonly sound: 'allowed' | 'withheld'
  /** Aborts with a {@link LiveEndCode} as its reason when the viewer may not watch any longer. */
  readonly signal: AbortSignal
  /** Hears, until the signal aborts, whether someone talks through the camera. */
  readonly followTalks?: (onChange: (isTalking: boolean) => void, signal: AbortSignal) => void
  readonly limits?: Partial<LiveLimits>
}

/** Why a viewer's socket ended: we closed it with a code, or the viewer left. */
export type LiveEnd = { readonly kind: 'ended'; readonly code: LiveEndCode } | { readonly kind: 'left' }

const CLOSE_TIMEOUT_MS = 2000
const POSITION_EVERY_TICKS = TICKS_PER_SECOND

/**
 * Shows one camera to one viewer (api.md §12, `mseWss`): `init` as text, the initialisation segment, then one fragment for each
 * access unit as soon as it comes, and about each second a `pos`. A new `init` follows when the camera changes its tracks
 * or begins a new run. Resolves when the socket is closed; nothing of the viewer is left then.
 */
export async function serveLive(options: LiveSocketOptions): Promise<LiveEnd> {
  return await new LiveViewer(options).serve()
}

class LiveViewer {
  readonly #socket: WebSocket
  readonly #hub: Hub
  readonly #sound: 'allowed' | 'withheld'
  readonly #signal: AbortSignal
  readonly #followTalks: LiveSocketOptions['followTalks']
  readonly #limits: LiveLimits
  readonly #closed = Promise.withResolvers<void>()
  #reader: HubReader | undefined
  #end: LiveEnd | undefined
  #announced: readonly TrackConfig[] | undefined
  #shown: readonly TrackConfig[] = []
  #fragments = new LiveFragments([])
  #nextPosition = 0
  #hasPicture = false
  /** No key picture came since pictures were missed. */
  #hasMissed = true
  #held: HeldStart | undefined
  /** Ticks from decoding to presentation of the last key picture, which relate a picture's time to its arrival. */
  #delay = 0
  #isAnswering = true
  #deadline: NodeJS.Timeout | undefined
  #resumed: (() => void) | undefined
  #pausing: Promise<void> | undefined
  #drained: (() => void) | undefined

  constructor({ socket, hub, sound, signal, followTalks, limits }: LiveSocketOptions) {
    this.#socket = socket
    this.#hub = hub
    this.#sound = sound
    this.#signal = signal
    this.#followTalks = followTalks
    this.#limits = { ...DEFAULT_LIMITS, ...limits }
  }

  async serve(): Promise<LiveEnd> {
    const beat = setInterval(() => this.#beat(), this.#limits.pingEveryMs)
    const revoke = (): void => this.#finish(endCodeOf(this.#signal.reason))
    this.#signal.addEventListener('abort', revoke, { once: true })
    const leaving = new AbortController()
    this.#listen()
    this.#followTalks?.((isTalking) => this.#say({ type: 'talk', isTalking }), leaving.signal)
    this.#expect(18, this.#limits.offlineGraceMs)
    if (this.#signal.aborted) revoke()
    try {
      while (this.#end === undefined) await this.#watch()
      await this.#close()
      return this.#end
    } finally {
      leaving.abort()
      clearInterval(beat)
      clearTimeout(this.#deadline)
      this.#signal.removeEventListener('abort', revoke)
      this.#reader?.leave()
    }
  }

  #listen(): void {
    const socket = this.#socket
    socket.on('pong', () => {
      this.#isAnswering = true
    })
    socket.on('message', (data, isBinary) => this.#onMessage(data, isBinary))
    // 'close' follows; an error of the viewer's connection isn't our fault.
    socket.on('error', () => socket.terminate())
    socket.once('close', () => {
      this.#settle({ kind: 'left' })
      this.#closed.resolve()
    })
    if (socket.readyState === WebSocket.CLOSED) {
      this.#settle({ kind: 'left' })
      this.#closed.resolve()
    }
  }

  /** Sends live video until it ends, pauses, or falls so far behind that it must rejoin. */
  async #watch(): Promise<void> {
    await this.#pausing
    if (this.#end !== undefined) return
    const start = this.#hasPicture ? 'next-key' : 'running-gop'
    const reader = this.#hub.join({ maxQueuedBytes: this.#limits.maxQueuedBytes, start })
    this.#reader = reader
    this.#miss()
    for (;;) {
      const message = reader.take() ?? (await reader.next())
      if (message === undefined || this.#end !== undefined) break
      this.#show(message)
      if (this.#socket.bufferedAmount > this.#limits.maxSocketBytes && (await this.#drain()) === 'late') break
    }
    reader.leave()
  }

  #show(message: HubMessage): void {
    switch (message.kind) {
      case 'tracks':
        if (message.tracks !== this.#announced) this.#announce(message.tracks)
        return
      case 'unit':
        this.#showUnit(message.unit, message.track)
        return
      case 'ended':
        // A private camera isn't expected back, and its last picture doesn't stay on the screen.
        if (this.#announced === undefined || message.cause === 'mode') this.#finish(18)
        else this.#expect(18, this.#limits.offlineGraceMs)
        this.#announced = undefined
        return
      case 'skipped':
        this.#miss()
        return
    }
  }

  /** Pictures are missing: the next one begins anew. */
  #miss(): void {
    this.#hasMissed = true
    this.#held = undefined
  }

  #announce(tracks: readonly TrackConfig[]): void {
    this.#announced = tracks
    this.#shown = browserTracks(tracks).filter((track) => track.kind === 'video' || this.#sound === 'allowed')
    const video = this.#shown[0]
    if (video?.kind !== 'video') {
      this.#finish(18)
      return
    }
    this.#fragments = new LiveFragments(this.#shown)
    this.#nextPosition = Number.NEGATIVE_INFINITY
    this.#hasPicture = false
    this.#miss()
    const { width, height, codecString: codec } = video
    this.#say({ type: 'init', mime: mime(this.#shown), codec, width, height, audio: this.#shown.length > 1 })
    this.#write(initSegment(this.#shown))
    this.#expect(19, this.#limits.firstPictureMs)
  }

  #showUnit(unit: AccessUnit, track: number): void {
    if (track >= this.#shown.length) return
    if (unit.kind === 'video' && unit.isKey) {
      if (unit.recovery !== undefined && (this.#hasMissed || unit.followsLoss === true)) this.#startGradually(unit)
      this.#hasMissed = false
    }
    if (this.#held === undefined) {
      this.#send(unit, track)
      return
    }
    const start = this.#held.add(unit, track)
    if (start === undefined) return
    this.#held = undefined
    this.#tellPosition(start.shown)
    for (const [held, of] of start.units) this.#send(held, of)
  }

  /** At a recovery point: nothing is sent before the first whole picture, which is then the first that is shown. */
  #startGradually(unit: AccessUnit): void {
    if (this.#hasPicture && this.#announced !== undefined) this.#announce(this.#announced)
    clearTimeout(this.#deadline)
    this.#hasPicture = true
    this.#held = new HeldStart(this.#shown[0])
    this.#delay = unit.compositionOffset ?? 0
  }

  #send(unit: AccessUnit, track: number): void {
    if (unit.kind === 'video') {
      if (!this.#hasPicture) clearTimeout(this.#deadline)
      this.#hasPicture = true
      if (unit.isKey) this.#delay = unit.compositionOffset ?? 0
      if (unit.time >= this.#nextPosition) this.#tellPosition(unit)
    }
    this.#write(this.#fragments.fragmentOf(unit, track))
  }

  #tellPosition({ time, wallClock: wallclock }: AccessUnit): void {
    this.#nextPosition = time + POSITION_EVERY_TICKS
    this.#say({ type: 'pos', wallclock, mediaTime: (time + this.#delay) / TICKS_PER_SECOND })
  }

  #say(message: StreamServerMessage): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  #write(bytes: Uint8Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    this.#socket.send(bytes, () => {
      if (this.#socket.bufferedAmount <= this.#limits.maxSocketBytes / 2) this.#drained?.()
    })
  }

  /** Waits until the socket has accepted what was written. */
  async #drain(): Promise<'prompt' | 'late'> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const started = performance.now()
    this.#drained = resolve
    const stuck = setTimeout(() => {
      this.#finish(16)
      resolve()
    }, this.#limits.stuckAfterMs)
    await Promise.race([promise, this.#closed.promise])
    clearTimeout(stuck)
    this.#drained = undefined
    return performance.now() - started > this.#limits.lateAfterMs ? 'late' : 'prompt'
  }

  #onMessage(data: RawData, isBinary: boolean): void {
    const type = isBinary ? undefined : typeOf(data)
    if (type === 'pause' && this.#pausing === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#pausing = promise
      this.#resumed = resolve
      this.#hasPicture = false
      this.#reader?.leave()
    }
    if (type === 'resume') {
      this.#pausing = undefined
      this.#resumed?.()
    }
  }

  #beat(): void {
    if (!this.#isAnswering) {
      this.#settle({ kind: 'left' })
      this.#socket.terminate()
      return
    }
    this.#isAnswering = false
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
  }

  /** Ends with this code unless the awaited event comes first. */
  #expect(code: LiveEndCode, withinMs: number): void {
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(() => this.#finish(code), withinMs)
  }

  #finish(code: LiveEndCode): void {
    if (this.#end !== undefined) return
    this.#say({ type: 'end', code })
    this.#settle({ kind: 'ended', code })
  }

  #settle(end: LiveEnd): void {
    this.#end ??= end
    this.#reader?.leave()
    this.#resumed?.()
    this.#drained?.()
  }

  /** A revoked viewer is gone within 5 s (R16), also one that does not read. */
  async #close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return
    this.#socket.close(1000)
    const tooLong = setTimeout(() => this.#socket.terminate(), CLOSE_TIMEOUT_MS)
    await this.#closed.promise
    clearTimeout(tooLong)
  }
}

const END_CODES: readonly number[] = [4, 9, 14, 16, 18, 19]

/** A signal that aborts for another reason (the process stops) looks to the viewer like an overload: try again soon. */
const endCodeOf = (reason: unknown): LiveEndCode => (isEndCode(reason) ? reason : 16)

const isEndCode = (reason: unknown): reason is LiveEndCode => typeof reason === 'number' && END_CODES.includes(reason)

/**
 * The type of a viewer's message; undefined if it is invalid. A live picture can be paused and resumed, nothing else.
 */
function typeOf(data: RawData): unknown {
  if (!(data instanceof Buffer) || data.length > 1024) return undefined
  try {
    const message: unknown = JSON.parse(data.toString())
    return typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined
  } catch {
    return undefined
  }
}
