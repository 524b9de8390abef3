import { randomBytes } from 'node:crypto'
import { type EpochMs, steadyNow } from '../clock.ts'
import type { ActiveFaults } from '../fault.ts'
import { type LiveStream, type SentAudio, type SentPicture, VIDEO_TICKS_PER_SECOND } from '../live/live-stream.ts'
import type { SimulatedCard } from '../onvif/card.ts'
import { type RtpTrack, stampPackets } from '../rtp/packets.ts'
import { withReplayExtension } from '../rtp/replay-extension.ts'
import { senderReport } from '../rtp/sender-report.ts'
import type { Delivery } from './delivery.ts'

const REPORT_EVERY_MS = 5000

const REPLAY_EVERY_MS = 10
const PICTURES_AT_A_TIME = 10

/** A card, and the stream that it records. */
export interface ReplayedCard {
  readonly card: SimulatedCard
  readonly stream: LiveStream
}

interface ClockRange {
  /** By the camera's clock. */
  readonly from: EpochMs
  readonly to: EpochMs
}

/** `clock=20261127T032000.123Z-20261127T032030Z` (RFC 2326 §3.7); an open end is the newest picture. */
export function parseClockRange(text: string): ClockRange | undefined {
  const [, from, to] = /clock\s*=\s*([0-9TZ.]+)\s*-\s*([0-9TZ.]*)/i.exec(text) ?? []
  const parse = (time: string | undefined) =>
    Date.parse((time ?? '').replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d(?:\.\d+)?)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const begins = parse(from)
  if (Number.isNaN(begins)) return undefined
  const ends = parse(to)
  return { from: begins, to: Number.isNaN(ends) ? Number.POSITIVE_INFINITY : ends }
}

export type TrackKind = 'video' | 'audio'

/** A track a viewer has set up: its numbers begin at random (RFC 3550 §5.1). */
class Track implements RtpTrack {
  readonly channel: number
  readonly source = randomBytes(4).readUInt32BE()
  readonly ticksPerSecond: number
  readonly #offset = randomBytes(4).readUInt32BE()
  sequence = randomBytes(2).readUInt16BE()
  packets = 0
  bytes = 0
  reportedAt: EpochMs = 0
  hasStepped = false

  constructor(channel: number, ticksPerSecond: number) {
    this.channel = channel
    this.ticksPerSecond = ticksPerSecond
  }

  timestamp(ticks: number, jumpSeconds: number): number {
    const timestamp = this.#offset + Math.round(ticks + jumpSeconds * this.ticksPerSecond)
    return ((timestamp % 2 ** 32) + 2 ** 32) % 2 ** 32
  }
}

/** One viewer of a stream: the tracks it set up, and whether they are being sent. */
export class PlaySession {
  readonly #stream: LiveStream
  readonly #delivery: Delivery
  readonly #faults: ActiveFaults
  readonly #tracks = new Map<TrackKind, Track>()
  #sentPackets = 0
  #leave: (() => void) | undefined
  /** Pictures before the first key picture are useless, and so are those after some were skipped. */
  #needsKey = true

  constructor(stream: LiveStream, delivery: Delivery, faults: ActiveFaults) {
    this.#stream = stream
    this.#delivery = delivery
    this.#faults = faults
  }

  get isPlaying(): boolean {
    return this.#leave !== undefined
  }

  get hasTracks(): boolean {
    return this.#tracks.size > 0
  }

  /** Channels `channel` and `channel + 1` carry RTP and RTCP of the track. Reply: its SSRC. */
  setUp(kind: TrackKind, channel: number): number {
    const ticksPerSecond = kind === 'video' ? VIDEO_TICKS_PER_SECOND : (this.#stream.audio?.sampleRate ?? 0)
    const track = new Track(channel, ticksPerSecond)
    this.#tracks.set(kind, track)
    return track.source
  }

  /** Next sequence number and the current timestamp, for RTP-Info (RFC 2326 §12.33). */
  position(kind: TrackKind): { readonly sequence: number; readonly timestamp: number } | undefined {
    const track = this.#tracks.get(kind)
    if (track === undefined) return undefined
    return { sequence: track.sequence, timestamp: this.#timestampOfNow(track, steadyNow()) }
  }

  play(): void {
    if (this.#leave !== undefined) return
    this.#needsKey = true
    this.#leave = this.#stream.watch((sent) => this.#send(sent))
  }

  /** Sends what was recorded in a range of the camera's clock, at the pace at which it was or as fast as it is taken. */
  replay({ card, stream }: ReplayedCard, range: ClockRange, isFast: boolean): void {
    const track = this.#tracks.get('video')
    if (track === undefined || this.#leave !== undefined) return
    const from = Math.max(card.trueTime(range.from), card.from)
    const to = Math.min(card.trueTime(range.to), steadyNow())
    const began = steadyNow()
    const recorded = stream.pictures(from, to)
    let next = recorded.next()
    const soundTrack = this.#tracks.get('audio')
    const sounds = stream.sounds(from, to)
    let nextSound = sounds.next()
    const sendSounds = (until: EpochMs): void => {
      for (
        ;
        soundTrack !== undefined && nextSound.done !== true && nextSound.value.at < until;
        nextSound = sounds.next()
      ) {
        const { sound, at } = nextSound.value
        const bytes = stampPackets(sound.templates, soundTrack, soundTrack.timestamp(sound.ticks, 0), undefined)
        this.#delivery.media(withReplayExtension(bytes, { at: card.cameraTime(at), isKey: false, isLast: false }))
      }
    }
    const send = (): void => {
      for (let sent = 0; sent < PICTURES_AT_A_TIME && next.done !== true && !this.#delivery.isOverfull; sent++) {
        const { picture, at } = next.value
        if (!isFast && at - from > steadyNow() - began) return
        sendSounds(at)
        next = recorded.next()
        const bytes = stampPackets(picture.templates, track, track.timestamp(picture.ticks, 0), undefined)
        const isLast = next.done === true
        const shown = { at: card.cameraTime(at), isKey: picture.isKey, isLast }
        this.#delivery.media(withReplayExtension(bytes, shown))
      }
      if (next.done === true) this.pause()
    }
    const timer = setInterval(send, REPLAY_EVERY_MS)
    this.#leave = () => clearInterval(timer)
  }

  pause(): void {
    this.#leave?.()
    this.#leave = undefined
  }

  #send(sent: SentPicture | SentAudio): void {
    const track = this.#tracks.get(sent.kind === 'picture' ? 'video' : 'audio')
    if (track === undefined) return
    if (sent.kind === 'picture' ? !this.#wants(sent) : this.#delivery.isOverfull) return
    const jump = this.#faults.get('timestamp-jump')?.bySeconds ?? 0
    this.#step(track)
    this.#report(track)
    const bytes = stampPackets(sent.templates, track, track.timestamp(sent.ticks, jump), this.#losses())
    for (const template of sent.templates) {
      track.packets += template.starts.length
      track.bytes += template.bytes.length
    }
    this.#delivery.media(bytes)
  }

  #wants(picture: SentPicture): boolean {
    if (this.#delivery.isOverfull || this.#delivery.isLosing) this.#needsKey = true
    if (this.#needsKey && (!picture.isKey || this.#delivery.isOverfull)) return false
    this.#needsKey = false
    return true
  }

  #step(track: Track): void {
    const step = this.#faults.get('sequence-step')
    if (step !== undefined && !track.hasStepped) track.sequence = (track.sequence + step.by) & 0xff_ff
    track.hasStepped = step !== undefined
  }

  #losses(): (() => boolean) | undefined {
    const drop = this.#faults.get('drop-packets')
    if (drop === undefined) return undefined
    return () => {
      this.#sentPackets += 1
      return this.#sentPackets % drop.every === 0
    }
  }

  #timestampOfNow(track: Track, now: EpochMs): number {
    const jump = this.#faults.get('timestamp-jump')?.bySeconds ?? 0
    return track.timestamp(((now - this.#stream.epoch) / 1000) * track.ticksPerSecond, jump)
  }

  #report(track: Track): void {
    const now = steadyNow()
    if (now - track.reportedAt < REPORT_EVERY_MS) return
    track.reportedAt = now
    const wallClock = now + (this.#faults.get('clock-jump')?.byMs ?? 0)
    const { source, packets, bytes } = track
    const timestamp = this.#timestampOfNow(track, now)
    this.#delivery.media(senderReport({ channel: track.channel + 1, source, wallClock, timestamp, packets, bytes }))
  }
}
