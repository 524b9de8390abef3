import type { MediaTimes, SentPictures, StreamClientMessage, StreamServerMessage } from '@sightline/contract/streams'
import type { WebSocket } from 'ws'
import { TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import { fragment, initSegment, mime, startingGrey } from '../mux/index.ts'
import { FootageAway, type KeyFinder, type ReadQueue, type SegmentFiles, type StreamKey } from '../recording/index.ts'
import { findPicture, findPictureByOffset, type PicturePosition } from './find-picture.ts'
import { type GroupBegins, openBackwards } from './open-backwards.ts'
import { openPlayback, type PlaybackMessage, type PlayedPart } from './open-playback.ts'
import { type PlaybackEnd, type PlaybackEndCode, parseEndCode } from './playback-end.ts'
import { ALL_PICTURES_RATE, DEFAULT_LIMITS, type PlaybackLimits } from './playback-limits.ts'
import { SelectedTracks } from './selected-tracks.ts'
import { Playhead, SessionTimeline } from './session-timeline.ts'
import { ViewerSocket } from './viewer-socket.ts'

export interface PlaybackSocketOptions {
  /**
   * Open, and authorized for this stream; owned by this module from now on. Its maxPayload limits what a client may
   * send.
   */
  readonly socket: WebSocket
  readonly store: string
  readonly stream: StreamKey
  /** Opens encrypted footage. */
  readonly keys?: KeyFinder
  /** Where playback starts, in milliseconds since 1970. */
  readonly time: number
  /** Where playback ends, milliseconds since 1970; at the end of the footage by default. */
  readonly till?: number | undefined
  /** `continuous` by default. */
  readonly mediaTimes?: MediaTimes
  /** `all` by default. */
  readonly pictures?: SentPictures
  /** Sound needs a separate right; allowed by default. */
  readonly sound?: 'allowed' | 'withheld'
  /** Aborts with a {@link PlaybackEndCode} as its reason when the viewer may not watch any longer. */
  readonly signal: AbortSignal
  readonly limits?: Partial<PlaybackLimits>
  /** The queue for what is listed on the disk; without one, reads start immediately. */
  readonly reads?: ReadQueue
  /** Where segments are; on the disk alone by default. */
  readonly files?: SegmentFiles
  /**
   * Whether footage of a time, or the next after it, is on another machine. The connection is closed then without a reason,
   * and the viewer, who connects again there, gets it from that machine.
   */
  readonly isElsewhere?: ((time: number) => Promise<boolean>) | undefined
  /** Footage of that time was sent, milliseconds since 1970. */
  readonly onSent?: ((span: { readonly from: number; readonly till: number }) => void) | undefined
}

/** Media that is sent ahead of the viewer, in seconds of the viewer's own time. */
const LEAD_SECONDS = 2
const TICKS_PER_MS = TICKS_PER_SECOND / 1000
/** Longer timers fire at once; a gap can last for weeks. */
const MAX_TIMER_MS = 60_000

/**
 * Plays recorded footage for one viewer (api.md §12). After each `init` comes one initialisation segment, then a `pos`
 * with the time to show and its media time, then fragments of about a second, about two seconds ahead of the viewer.
 * The first fragment is the key picture at or before that time. A new `init` follows a seek and a step, where media
 * time restarts at one second, and a change of tracks, where it continues: above rate four there is no sound. Gaps are
 * announced and skipped in media time, unless media times are those of the clock: gaps keep their length then, media time never
 * restarts, and a negative rate plays group by group backwards. Resolves when the socket is closed.
 */
export async function servePlayback(options: PlaybackSocketOptions): Promise<PlaybackEnd> {
  return await new PlaybackViewer(options).serve()
}

/** Where playback starts, and the first picture to show. */
interface Start {
  readonly at: number
  readonly picture: PicturePosition | undefined
}

type Gap = Extract<StreamServerMessage, { type: 'gap' }>
type Wish = Extract<StreamClientMessage, { type: 'seek' | 'step' }>

class PlaybackViewer {
  readonly #socket: ViewerSocket
  readonly #options: PlaybackSocketOptions
  readonly #limits: PlaybackLimits
  readonly #playhead = new Playhead(() => performance.now())
  readonly #tracks = new SelectedTracks()
  #timeline: SessionTimeline
  #end: PlaybackEnd | undefined
  /** What was requested and hasn't started yet. */
  #wish: Wish | undefined
  #playing = new AbortController()
  #wake = Promise.withResolvers<void>()
  /** The position of the picture hasn't been sent yet. */
  #start: Start | undefined
  /** For a viewer with a clock: from when on nothing was sent yet. */
  #startsAt: number | undefined
  /** Gaps found before the first `init` after a jump: sent earlier, a viewer would take them for gaps of its old position. */
  #heldGaps: Gap[] | undefined
  /** Backwards: where the group of pictures that is sent ends, ticks. It is needed as a whole once the viewer comes there. */
  #groupTill = 0
  #nextPosition = 0
  /** Nothing was sent since the last `init`. */
  #isFresh = false
  /** Time of day up to which parts were sent. */
  #sentUntil = 0
  #sentOfRun: { readonly runId: string; readonly until: number } | undefined
  #sequence = 0

  constructor(options: PlaybackSocketOptions) {
    this.#options = options
    this.#timeline = new SessionTimeline(options.mediaTimes)
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits }
    this.#socket = new ViewerSocket(options.socket, {
      limits: this.#limits,
      onMessage: (message) => this.#onMessage(message),
      onLeft: () => this.#settle({ kind: 'left' }),
    })
  }

  async serve(): Promise<PlaybackEnd> {
    const { signal, time } = this.#options
    const revoke = () => this.#finish(parseEndCode(signal.reason))
    signal.addEventListener('abort', revoke, { once: true })
    if (signal.aborted) revoke()
    try {
      for (this.#wish = { type: 'seek', time }; this.#wish !== undefined && this.#end === undefined; ) {
        await this.#follow(this.#wish)
      }
      await this.#socket.close()
      return this.#end ?? { kind: 'left' }
    } finally {
      signal.removeEventListener('abort', revoke)
    }
  }

  /** Footage in S3 that doesn't come ends the stream as timed out, unless the viewer wants something else by now. */
  async #follow(wish: Wish): Promise<void> {
    try {
      if (wish.type === 'seek' && (await this.#options.isElsewhere?.(wish.time)) === true)
        return this.#settle({ kind: 'left' })
      await this.#play(await this.#begin(wish))
    } catch (cause) {
      if (!(cause instanceof FootageAway)) throw cause
      if (!this.#isInterrupted) this.#finish(19)
    }
  }

  async #begin(wish: Wish): Promise<Start> {
    this.#wish = undefined
    this.#playing = new AbortController()
    const footage = { ...this.#options, signal: this.#playing.signal }
    if (wish.type === 'seek' && this.#isOnClock) {
      // The clock starts at the requested time, even if the next picture is later. Reading starts at the key picture before.
      this.#playhead.jump(wish.time * TICKS_PER_MS)
      return { at: wish.time, picture: undefined }
    }
    if (wish.type === 'seek') {
      const picture = await findPicture(footage, wish.time)
      const isThere = picture !== undefined && picture.wallClock <= wish.time
      return { at: isThere ? picture.key : wish.time, picture }
    }
    const shown = this.#timeline.shownAt(this.#playhead.at(this.#sent))
    this.#playhead.setRunning(false, this.#sent)
    const { time } = this.#options
    const picture = await (shown === undefined
      ? findPicture(footage, time)
      : findPictureByOffset(footage, shown, wish.frames))
    const at = picture?.key ?? shown?.wallClock ?? time
    if (this.#isOnClock) this.#playhead.jump((picture?.wallClock ?? at) * TICKS_PER_MS)
    return { at, picture }
  }

  /** Plays until another request comes, or the footage or the viewer ends. */
  async #play(start: Start): Promise<void> {
    this.#start = this.#isOnClock ? undefined : start
    this.#startsAt = this.#isOnClock ? start.at : undefined
    this.#timeline = new SessionTimeline(this.#options.mediaTimes)
    this.#tracks.forget()
    this.#heldGaps = []
    this.#sentUntil = Number.NEGATIVE_INFINITY
    this.#sentOfRun = undefined
    const { store, stream, till, keys, reads, files } = this.#options
    const access = { keys, files, signal: this.#playing.signal, ...(reads && { reads }) }
    for (let at = start.at; ; at = this.#isBackwards ? this.#playhead.at(this.#sent) / TICKS_PER_MS : this.#sentUntil) {
      const pictures = this.#pictures
      const { waitMs } = this.#limits
      const query = { store, stream, ...access, at, till, pictures }
      await this.#showAll(this.#isBackwards ? openBackwards(query) : openPlayback({ ...query, waitMs }), pictures)
      if (this.#isInterrupted) return
      if (this.#pictures === pictures) return this.#leaveOrFinish()
    }
  }

  /** Until another request comes, or other pictures are wanted. */
  async #showAll(messages: AsyncIterable<PlaybackMessage | GroupBegins>, pictures: SentPictures): Promise<void> {
    for await (const message of messages) {
      await this.#show(message)
      if (this.#isInterrupted || this.#pictures !== pictures) return
    }
  }

  get #isOnClock(): boolean {
    return this.#options.mediaTimes === 'wallclock'
  }

  get #isBackwards(): boolean {
    return this.#playhead.rate < 0
  }

  async #leaveOrFinish(): Promise<void> {
    if (this.#isBackwards || !(await this.#leave(this.#sentUntil))) this.#finish(0)
  }

  /** Closes the connection if what follows is on another machine, once the viewer has seen what was sent. */
  async #leave(time: number): Promise<boolean> {
    if (!Number.isFinite(time) || (await this.#options.isElsewhere?.(time)) !== true) return false
    await this.#waitForTurn(this.#timeline.end + LEAD_SECONDS * TICKS_PER_SECOND, this.#timeline.end)
    if (!this.#isInterrupted) this.#settle({ kind: 'left' })
    return true
  }

  get #isInterrupted(): boolean {
    return this.#wish !== undefined || this.#end !== undefined
  }

  get #pictures(): 'all' | 'keys' {
    return Math.abs(this.#playhead.rate) > ALL_PICTURES_RATE ? 'keys' : (this.#options.pictures ?? 'all')
  }

  async #show(message: PlaybackMessage | GroupBegins): Promise<void> {
    switch (message.kind) {
      case 'tracks':
        this.#announce(message.tracks)
        return
      case 'gap':
      case 'damaged':
        if (message.kind === 'gap' && !this.#isBackwards && (await this.#leave(message.from))) return
        this.#startsAt = undefined
        if (message.till > message.from) this.#tellGap({ type: 'gap', from: message.from, till: message.till })
        return
      case 'group':
        this.#groupTill = message.till * TICKS_PER_MS
        return
      case 'part':
        await this.#showPart(message)
        return
    }
  }

  #announce(recorded: readonly TrackConfig[]): void {
    const isSoundPlayed = this.#options.sound !== 'withheld' && this.#pictures === 'all' && !this.#isBackwards
    if (!this.#tracks.change(recorded, isSoundPlayed ? 'played' : 'left-out')) return
    const { shown } = this.#tracks
    const video = shown.find((track) => track.kind === 'video')
    const audio = shown.some((track) => track.kind === 'audio')
    const codec = video?.codecString ?? ''
    this.#socket.say({
      type: 'init',
      mime: mime(shown),
      codec,
      width: video?.width ?? 0,
      height: video?.height ?? 0,
      audio,
    })
    this.#socket.write(initSegment(shown))
    for (const gap of this.#heldGaps ?? []) this.#socket.say(gap)
    this.#heldGaps = undefined
    this.#nextPosition = Number.NEGATIVE_INFINITY
    this.#isFresh = true
  }

  #tellGap(gap: Gap): void {
    if (this.#heldGaps === undefined) this.#socket.say(gap)
    else this.#heldGaps.push(gap)
  }

  async #showPart(part: PlayedPart): Promise<void> {
    if (!this.#isBackwards && this.#wasSent(part)) return
    this.#tellStartInGap(part.wallClock)
    const sent = this.#sent
    const { media, offset, moved } = this.#timeline.place(part)
    if (this.#start === undefined) {
      await this.#waitForTurn(this.#isBackwards ? this.#groupTill : media, sent)
      if (this.#isInterrupted) return
      if (moved || media >= this.#nextPosition) this.#tellPosition(part.wallClock, media)
    } else {
      this.#tellStart(this.#start, { part, media, offset })
    }
    const picked = this.#tracks.pick(part.samples)
    const samples = this.#isFresh ? startingGrey(picked, this.#tracks.shown) : picked
    this.#sentUntil = part.wallClock + part.duration / TICKS_PER_MS
    this.#sentOfRun = { runId: part.runId, until: part.time + part.duration }
    if (samples.length === 0) return
    this.#isFresh = false
    this.#sequence++
    this.#options.onSent?.({ from: part.wallClock, till: this.#sentUntil })
    this.#socket.write(
      Buffer.concat(fragment({ sequence: this.#sequence, tracks: this.#tracks.shown, samples, origin: -offset })),
    )
    if (this.#socket.isFull && !(await this.#socket.drain(() => this.#end !== undefined))) this.#finish(16)
  }

  /**
   * After a change between all pictures and key pictures only, reading starts at the key picture before what was sent.
   * Within a run only its own time counts: the clock times of parts are arrival times, which have jitter.
   */
  #wasSent(part: PlayedPart): boolean {
    if (this.#sentOfRun?.runId === part.runId) return part.time < this.#sentOfRun.until - TICKS_PER_MS
    return part.wallClock + part.duration / TICKS_PER_MS <= this.#sentUntil
  }

  /** Nothing is behind the playhead of a viewer who has a clock: it runs through gaps too. */
  get #sent(): number {
    return this.#isOnClock ? Number.POSITIVE_INFINITY : this.#timeline.end
  }

  /** The first position after an `init` names the picture to show, which may not be the first that is sent. */
  #tellStart({ picture }: Start, first: { part: PlayedPart; media: number; offset: number }): void {
    this.#start = undefined
    const isInRun = picture?.runId === first.part.runId && picture.time >= first.part.time
    const media = isInRun ? picture.time + first.offset : first.media
    this.#playhead.jump(media)
    this.#tellPosition(isInRun ? picture.wallClock : first.part.wallClock, media)
  }

  #tellPosition(wallclock: number, media: number): void {
    this.#nextPosition = media + TICKS_PER_SECOND
    this.#socket.say({ type: 'pos', wallclock, mediaTime: media / TICKS_PER_SECOND })
  }

  /** Between parts, short gaps are jitter. At the start they are certain, and a clock in one would wait for its picture for good. */
  #tellStartInGap(first: number): void {
    const from = this.#startsAt ?? first
    this.#startsAt = undefined
    if (!this.#isBackwards && first > from) this.#tellGap({ type: 'gap', from, till: first })
  }

  /** Waits until the part is no more than the lead ahead of what the viewer sees. */
  async #waitForTurn(media: number, sent: number): Promise<void> {
    while (!this.#isInterrupted) {
      const { rate } = this.#playhead
      const speed = Math.abs(rate)
      const distance = (media - this.#playhead.at(sent)) * Math.sign(rate)
      const ahead = distance - LEAD_SECONDS * TICKS_PER_SECOND * Math.max(speed, 1)
      if (ahead <= 0) return
      const { promise, resolve } = this.#wake
      const wait = this.#playhead.isRunning ? ahead / TICKS_PER_MS / speed : this.#limits.pingEveryMs
      const timer = setTimeout(resolve, Math.min(wait, MAX_TIMER_MS))
      await promise
      clearTimeout(timer)
      this.#wake = Promise.withResolvers()
    }
  }

  #onMessage(message: StreamClientMessage): void {
    const sent = this.#sent
    switch (message.type) {
      case 'seek':
      case 'step':
        this.#wish = message
        this.#playing.abort()
        break
      case 'rate':
        this.#setRate(message.value)
        break
      case 'shown':
        if (this.#isOnClock && this.#wish === undefined) this.#playhead.jump(message.time * TICKS_PER_MS)
        break
      case 'pause':
        this.#playhead.setRunning(false, sent)
        break
      case 'resume':
        this.#playhead.setRunning(true, sent)
        break
    }
    this.#wake.resolve()
  }

  /** Another direction starts again at the picture on the screen. */
  #setRate(value: number): void {
    if (value < 0 && !this.#isOnClock) return
    const turns = value < 0 !== this.#isBackwards
    const time = this.#playhead.at(this.#sent) / TICKS_PER_MS
    this.#playhead.setRate(value, this.#sent)
    if (!turns) return
    this.#wish ??= { type: 'seek', time }
    this.#playing.abort()
  }

  #finish(code: PlaybackEndCode): void {
    if (this.#end !== undefined) return
    this.#socket.say({ type: 'end', code })
    this.#settle({ kind: 'ended', code })
  }

  #settle(end: PlaybackEnd): void {
    this.#end ??= end
    this.#playing.abort()
    this.#wake.resolve()
    this.#socket.wake()
  }
}
