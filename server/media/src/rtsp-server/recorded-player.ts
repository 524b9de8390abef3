import { TICKS_PER_SECOND, type TrackConfig, type VideoCodec } from '../frame/index.ts'
import { type ClientRange, clockText, nptText, type PlayRequest } from './play-request.ts'
import type { Output, Player, Presentation } from './player.ts'
import { RecordedReader } from './recorded-reader.ts'
import { hasFootage, type RecordedFootage, type RecordedSpan, type RecordedUnit } from './recorded-units.ts'
import type { RtspAnswer } from './rtsp-answer.ts'
import { SendingClock } from './sending-clock.ts'
import type { SessionAnchor } from './track-sender.ts'
import type { TrackSenders } from './track-senders.ts'

export interface OpenedRecording {
  readonly footage: RecordedFootage
  readonly hears: boolean
  /** Aborts once the permission is gone. */
  readonly signal: AbortSignal
  readonly now: () => number
}

/** Above this rate only key pictures are sent, as to our own players. */
const ALL_PICTURES_SCALE = 4
/** The newest footage comes to the disk some seconds late. */
const COMPLETE_AFTER_MS = 15_000
const WAIT_MS = 10_000
const TICKS_PER_MS = TICKS_PER_SECOND / 1000
/** Pictures whose distance isn't known. */
const USUAL_PICTURE_TICKS = TICKS_PER_SECOND / 25

const NORMAL: PlayRequest = {
  range: undefined,
  scale: undefined,
  pace: 'clock',
  pictures: 'all',
  leastDistanceMs: 0,
  cseq: 0,
}

/** From ticks of the footage to ticks of the session: a scale moves pictures together. */
interface Placement {
  readonly footage: number
  readonly session: number
  readonly speed: number
}

/**
 * Plays footage from any time, at any speed. Times of RTP have no gaps, as the pictures that are sent have none: a player that
 * would wait through a gap of hours seems to hang. The time of day is in sender reports until the first gap, and in the extension of ONVIF
 * always.
 */
export class RecordedPlayer implements Player {
  readonly #stream: OpenedRecording
  #tracks: readonly TrackConfig[] = []
  #reader: RecordedReader | undefined
  #request = NORMAL
  #senders: TrackSenders | undefined
  /** Where `npt=0` is, milliseconds since 1970. */
  #zero = 0
  /** Where what is played ends; backwards, the earlier end. */
  #till: number | undefined
  #placement: Placement = { footage: 0, session: 0, speed: 1 }
  #anchor: SessionAnchor = { time: 0, wallClock: 0 }
  /** Up to when the session has been filled, in ticks. */
  #filled = 0
  /** Time of day of what comes next. */
  #position = 0
  #isOver = false
  #isFresh = true
  #haveSetsChanged = false
  readonly #sentOfTrack = new Map<number, number>()

  constructor(stream: OpenedRecording) {
    this.#stream = stream
  }

  async open(): Promise<Presentation | undefined> {
    const { footage, hears } = this.#stream
    const first = await this.#openAt(footage.from, NORMAL, footage.till)
    if (first === undefined) return undefined
    const sound = hears ? first.tracks.find(({ kind }) => kind === 'audio') : undefined
    this.#tracks = [first.track, ...(sound === undefined ? [] : [sound])]
    this.#zero = first.unit.wallClock
    return { name: 'Recording', tracks: this.#tracks, ranges: ['npt', 'clock'].map((unit) => this.#rangeText(unit)) }
  }

  isChangedBy({ range, scale }: PlayRequest): boolean {
    return range !== undefined || scale !== undefined
  }

  async play(request: PlayRequest, senders: TrackSenders): Promise<RtspAnswer> {
    this.#senders = senders
    const goesOn = request.range === undefined || isBeginning(request.range, this.#isFresh)
    const isKept = goesOn && !this.#isOver && this.#reader !== undefined && isSameMode(request, this.#request)
    const first = isKept ? await toPicture(this.#reader, this.#stream.signal) : await this.#move(request)
    if (first === undefined) return { status: 457, body: 'There is no footage of that time here.' }
    if (this.#isOver) senders.renew()
    this.#isOver = false
    this.#isFresh = false
    this.#request = request
    if (!isKept) this.#place(first, request)
    const unit = request.range?.unit ?? 'npt'
    const { scale, pace } = request
    return {
      status: 200,
      headers: {
        range: this.#rangeText(unit, first.unit.wallClock),
        'rtp-info': senders.infoAt(this.#sessionOf(first.shown)),
        ...(scale !== undefined && { scale: String(scale) }),
        ...(pace === 'client' && { 'rate-control': 'no' }),
      },
    }
  }

  async send(output: Output, signal: AbortSignal): Promise<'held' | 'ended' | 'gone'> {
    const [reader, clock] = [this.#reader, new SendingClock()]
    this.#senders?.reportSoon()
    for (let isFirst = true; reader !== undefined; isFirst = false) {
      const next = await reader.look(signal)
      if (next !== undefined && this.#request.pace === 'clock') await clock.until(this.#sessionOf(next.decode), signal)
      if (signal.aborted) return 'held'
      if (next === undefined || !this.#fits(next)) break
      reader.take()
      if (!(await output(this.#packetsOf(next, isFirst)))) return 'gone'
    }
    this.#isOver = true
    const isLeft = !(await output(this.#senders?.end(this.#filled, this.#anchor) ?? []))
    return isLeft ? 'gone' : 'ended'
  }

  pause(): RtspAnswer {
    const at = this.#reader?.seen?.unit.wallClock ?? this.#position
    return { status: 200, headers: { range: this.#rangeText(this.#request.range?.unit ?? 'npt', at) } }
  }

  async close(): Promise<void> {
    await this.#reader?.[Symbol.asyncDispose]()
    this.#reader = undefined
  }

  /** Opens another part of the footage, or the same one in another way. Undefined if there is nothing. */
  async #move(request: PlayRequest): Promise<RecordedUnit | undefined> {
    const { footage, now } = this.#stream
    const [from, till] = [request.range?.from, request.range?.till].map((time) => this.#timeOf(request.range, time))
    const isBackwards = directionOf(request) === 'backwards'
    const newest = Math.min(footage.till ?? Number.POSITIVE_INFINITY, now())
    const begin = isBackwards ? newest : footage.from
    const at = from ?? (this.#isOver || this.#isFresh ? begin : this.#position)
    const [earlier, later] = isBackwards ? [till, at + 1] : [at, Math.min(till ?? newest, newest)]
    if (earlier !== undefined && earlier >= later) return undefined
    if (await footage.isElsewhere(at)) return undefined
    const end = isBackwards ? till : earlierOf(till, footage.till)
    return await this.#openAt(Math.min(at, newest), request, end)
  }

  async #openAt(at: number, request: PlayRequest, till: number | undefined): Promise<RecordedUnit | undefined> {
    const { footage, now, signal } = this.#stream
    const { leastDistanceMs } = request
    const complete = now() - COMPLETE_AFTER_MS
    const waitMs = till !== undefined && till < complete ? 0 : WAIT_MS
    if (waitMs > 0 && at < complete && !(await hasFootage({ footage, at, till }))) return undefined
    const span = {
      footage,
      at,
      till,
      leastDistanceMs,
      waitMs,
      pictures: picturesOf(request),
      direction: directionOf(request),
    }
    await using opened = new AsyncDisposableStack()
    const reader = opened.use(new RecordedReader(span))
    const first = await toPicture(reader, signal)
    // Then the current playback can continue.
    if (first === undefined) return undefined
    opened.move()
    await this.close()
    this.#till = till
    this.#reader = reader
    return first
  }

  /** RTP time continues without a break, whatever part of the footage comes next (RFC 2326 appendix B). */
  #place(first: RecordedUnit, request: PlayRequest): void {
    this.#placement = { footage: first.shown, session: this.#filled, speed: Math.abs(request.scale ?? 1) }
    this.#anchor = { time: this.#filled, wallClock: first.unit.wallClock }
    this.#sentOfTrack.clear()
  }

  #sessionOf(time: number): number {
    const { footage, session, speed } = this.#placement
    return Math.round(session + (time - footage) / speed)
  }

  /** Another codec can't be described to a client that plays. */
  #fits({ track }: RecordedUnit): boolean {
    return track.kind !== 'video' || track.codec === this.#tracks[0]?.codec
  }

  #packetsOf(next: RecordedUnit, isFirst: boolean): readonly Uint8Array[] {
    const { unit, decode, shown, duration } = next
    const index = this.#indexOf(next)
    if (index === -1 || this.#isBehind(index, next)) return []
    const [session, until] = [this.#sessionOf(shown), this.#sessionOf(shown + (duration || USUAL_PICTURE_TICKS))]
    if (unit.kind === 'video') {
      this.#filled = Math.max(this.#filled, until)
      this.#position = unit.wallClock + (directionOf(this.#request) === 'backwards' ? -1 : duration / TICKS_PER_MS)
    }
    const sent = {
      unit: this.#withParameterSets(next),
      decode: this.#sessionOf(decode),
      shown: session,
      replay: this.#replayOf(next, isFirst),
    }
    return this.#senders?.write(index, sent, this.#anchor) ?? []
  }

  #replayOf({ unit, endsSection, isApart, isLast }: RecordedUnit, isFirst: boolean) {
    if (this.#senders?.isReplay !== true) return undefined
    const { wallClock, isKey } = unit
    const isJump = isApart || isFirst || directionOf(this.#request) === 'backwards'
    return { wallClock, isKey, endsSection, isApart: isJump, isLast, cseq: this.#request.cseq }
  }

  /** Sound at another speed is no sound. */
  #indexOf({ track }: RecordedUnit): number {
    if (track.kind === 'video') return 0
    const isPlain = picturesOf(this.#request) === 'all' && (this.#request.scale ?? 1) === 1
    return isPlain ? this.#tracks.findIndex((other) => isSameSound(track, other)) : -1
  }

  /** Where two recordings meet, the sound of one may reach into the other. */
  #isBehind(index: number, { decode, track }: RecordedUnit): boolean {
    const isBehind = track.kind === 'audio' && decode < (this.#sentOfTrack.get(index) ?? Number.NEGATIVE_INFINITY)
    if (!isBehind) this.#sentOfTrack.set(index, decode)
    return isBehind
  }

  /** The description names those of the first picture; others have to come with the picture from which they count. */
  #withParameterSets({ unit, track }: RecordedUnit): RecordedUnit['unit'] {
    const [described] = this.#tracks
    if (!unit.isKey || track.kind !== 'video' || described?.kind !== 'video') return unit
    this.#haveSetsChanged ||= !track.parameterSets.every((set) => isAmong(set, described.parameterSets))
    const missing = this.#haveSetsChanged ? track.parameterSets.filter((set) => !isAmong(set, unit.units)) : []
    const [first] = unit.units
    // A delimiter comes first (H.264 §7.4.1.2.3, H.265 §7.4.2.4.4).
    const after = first !== undefined && isDelimiter(first, track.codec) ? 1 : 0
    return missing.length === 0 ? unit : { ...unit, units: unit.units.toSpliced(after, 0, ...missing) }
  }

  #timeOf(range: ClientRange | undefined, value: number | undefined): number | undefined {
    if (value === undefined || range === undefined) return undefined
    return range.unit === 'clock' ? value : this.#zero + value * 1000
  }

  #rangeText(unit: string, from = this.#zero): string {
    const till = this.#till
    const say = unit === 'clock' ? clockText : (time: number) => nptText((time - this.#zero) / 1000)
    return `${unit}=${say(from)}-${till === undefined ? '' : say(till)}`
  }
}

/** Looks for the first picture, and drops sound before it. */
async function toPicture(reader: RecordedReader | undefined, signal: AbortSignal): Promise<RecordedUnit | undefined> {
  for (;;) {
    const next = await reader?.look(signal)
    if (next === undefined || next.unit.kind === 'video') return next
    reader?.take()
  }
}

const directionOf = ({ scale = 1 }: PlayRequest): RecordedSpan['direction'] => (scale < 0 ? 'backwards' : 'forwards')

const picturesOf = ({ scale = 1, pictures }: PlayRequest): RecordedSpan['pictures'] =>
  scale < 0 || scale > ALL_PICTURES_SCALE ? 'keys' : pictures

/** Players that know no better ask for `npt=0-` at first. */
const isBeginning = ({ unit, from, till }: ClientRange, isFresh: boolean): boolean =>
  till === undefined && (from === undefined || (isFresh && unit === 'npt' && from === 0))

const isSameMode = (one: PlayRequest, other: PlayRequest): boolean =>
  (one.scale ?? 1) === (other.scale ?? 1) &&
  picturesOf(one) === picturesOf(other) &&
  one.leastDistanceMs === other.leastDistanceMs

const earlierOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

function isSameSound(one: TrackConfig, other: TrackConfig): boolean {
  if (one.kind !== 'audio' || other.kind !== 'audio') return false
  const isSame = one.codec === other.codec && one.sampleRate === other.sampleRate && one.channels === other.channels
  return isSame && Buffer.from(one.config).equals(other.config)
}

const isAmong = (set: Uint8Array, all: readonly Uint8Array[]): boolean =>
  all.some((other) => Buffer.from(set).equals(other))

const isDelimiter = ([first = 0]: Uint8Array, codec: VideoCodec): boolean =>
  codec === 'h264' ? (first & 0x1f) === 9 : ((first >> 1) & 0x3f) === 35
