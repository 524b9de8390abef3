import { type CodedSample, readSamples, readSoundSetup, type SoundSetup } from './fragments.ts'
import type { InitMessage } from './sink.ts'
import { holdSpeaker, type Speaker } from './speaker.ts'

/** Whether sound can play. `blocked` until the user interacts with the page, which browsers require. */
export type SoundState = 'none' | 'unsupported' | 'blocked' | 'ready'

export interface SoundEvents {
  readonly onState: (state: SoundState) => void
}

export interface SoundClock {
  /** Media time (seconds) of the current picture; undefined while it stands still or plays at another speed. */
  now(): number | undefined
  /** Seconds to play sound after its picture, because live sound arrives later than its picture. */
  readonly delay: number
  /** Beyond this difference in seconds, sound is synchronized again, which may click. */
  readonly apart: number
}

/** Where the clock is the time of arriving pictures, which varies. */
export const APART_OF_PICTURES = 0.07
/** Where pictures follow a steady clock. */
export const APART_OF_CLOCK = 0.04

/** Seconds: live sound packets start up to a tenth of a second before they are complete. */
export const LIVE_SOUND_DELAY = 0.15

const MICROSECONDS = 1_000_000
const TICK_MS = 40
/** Seconds of sound to decode ahead. */
const AHEAD = 0.6
/** Sound this many seconds older than the picture is dropped. */
const PAST = 0.2
/** Sound that follows within this many seconds is joined to the previous sound. */
const SEAM = 0.02
/** Late live sound gets a longer delay plus this reserve, up to a limit: late is better than choppy. */
const SPARE = 0.04
const LONGEST_DELAY = 1
/** After this many seconds, unused delay is taken back if it is at least `NOT_NEEDED`. */
const JUDGED_OVER = 15
const NOT_NEEDED = 0.1
/** A jump back in media time of this many seconds is a seek. */
const BACK = 0.5
/** Packets to keep while playback stands still: about a minute. */
const MOST_WAITING = 1500

type Playable = SoundSetup & { readonly codec: string }

interface Coded {
  readonly time: number
  readonly data: Uint8Array
}

interface Heard {
  readonly time: number
  readonly buffer: AudioBuffer
}

/**
 * Plays a stream's sound in sync with its pictures, whichever sink draws them. Decodes it separately, not in the video
 * element, so that pictures never wait for sound: cameras start and stop sending it at any time.
 */
export class Sound {
  readonly #clock: SoundClock
  readonly #events: SoundEvents
  #setup: Playable | undefined
  #volume = 0
  #speaker: Speaker | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  #decoder: AudioDecoder | undefined
  #waiting: Coded[] = []
  #decoded: Heard[] = []
  #playing = new Set<AudioBufferSourceNode>()
  /** Speaker time minus media time while sound plays. */
  #offset: number | undefined
  /** Speaker time at which the scheduled sound ends. */
  #end = 0
  #delay: number
  /** The smallest margin with which sound has arrived before it was due, since `#judgedAt`. */
  #least = Number.POSITIVE_INFINITY
  #judgedAt = 0
  /** Number of the current stream. The browser answers asynchronously; answers about older streams are ignored. */
  #generation = 0

  constructor(clock: SoundClock, events: SoundEvents) {
    this.#clock = clock
    this.#events = events
    this.#delay = clock.delay
  }

  /** Seconds that sound lags behind its picture, negative if ahead; undefined while no sound plays. */
  get behind(): number | undefined {
    const media = this.#clock.now()
    if (media === undefined || this.#offset === undefined || this.#speaker === undefined) return undefined
    return this.#offset + media - this.#speaker.audibleNow()
  }

  /** A new initialization segment; earlier sound is still played when its time comes. */
  async begin(init: InitMessage, segment: Uint8Array): Promise<void> {
    this.#generation += 1
    const mine = this.#generation
    const setup = readSoundSetup(segment)
    const codec = soundCodec(init)
    if (setup === undefined || codec === undefined) return this.#settle(undefined, 'none')
    const found = { ...setup, codec }
    const canDecode = await isSupported(found)
    if (mine !== this.#generation) return undefined
    return canDecode ? this.#settle(found, 'ready') : this.#settle(undefined, 'unsupported')
  }

  push(fragment: Uint8Array): void {
    const setup = this.#setup
    if (setup === undefined) return
    const samples = readSamples(fragment, setup.trackId)
    const times = samples.map((sample: CodedSample) => sample.time / setup.timeScale)
    const last = this.#waiting.at(-1)?.time ?? this.#decoded.at(-1)?.time
    if (last !== undefined && times[0] !== undefined && times[0] < last - BACK) this.forget()
    // Copies the bytes, because the picture sink may remove the sound from the fragment.
    this.#waiting.push(...samples.map(({ data }, n) => ({ time: times[n] ?? 0, data: data.slice() })))
    this.#dropPast(this.#clock.now())
    const newest = times.at(-1)
    if (newest !== undefined) this.#judgeArrival(newest)
  }

  /** From 0 (muted) to 1. */
  setVolume(volume: number): void {
    this.#volume = volume
    this.#attend()
  }

  /** Drops all sound before a seek. */
  forget(): void {
    this.#waiting = []
    this.#silence()
    this.#decoded = []
    this.#delay = this.#clock.delay
    this.#closeDecoder()
  }

  close(): void {
    this.#generation += 1
    this.forget()
    this.#leave()
  }

  #settle(setup: Playable | undefined, state: SoundState): void {
    if (setup?.sampleRate !== this.#setup?.sampleRate) this.#leave()
    this.#setup = setup
    this.#closeDecoder()
    this.#events.onState(state)
    this.#attend()
  }

  /** Starts or stops playing, depending on volume and stream. */
  #attend(): void {
    if (this.#volume === 0 || this.#setup === undefined) {
      this.#leave()
      return
    }
    this.#speaker ??= holdSpeaker(this.#setup.sampleRate, (isBlocked) => {
      if (this.#setup !== undefined) this.#events.onState(isBlocked ? 'blocked' : 'ready')
    })
    this.#speaker.setVolume(this.#volume)
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS)
  }

  #leave(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#silence()
    this.#decoded = []
    this.#speaker?.release()
    this.#speaker = undefined
  }

  #tick(): void {
    const media = this.#clock.now()
    const speaker = this.#speaker
    this.#dropPast(media)
    if (media === undefined || speaker === undefined || speaker.isBlocked()) {
      this.#silence()
      return
    }
    const offset = speaker.audibleNow() + this.#delay - media
    if (this.#offset === undefined || Math.abs(offset - this.#offset) > this.#clock.apart) {
      this.#silence()
      this.#offset = offset
      for (const heard of this.#decoded) this.#schedule(heard)
    }
    while (this.#waiting[0] !== undefined && this.#waiting[0].time < media + AHEAD) this.#decode(this.#waiting.shift())
  }

  #dropPast(media: number | undefined): void {
    const from = media === undefined ? Number.NEGATIVE_INFINITY : media - PAST - this.#delay
    const isWanted = ({ time }: { time: number }) => time >= from
    if (this.#waiting[0] !== undefined && !isWanted(this.#waiting[0])) this.#waiting = this.#waiting.filter(isWanted)
    if (this.#decoded[0] !== undefined && !isWanted(this.#decoded[0])) this.#decoded = this.#decoded.filter(isWanted)
    if (this.#waiting.length > MOST_WAITING) this.#waiting.splice(0, this.#waiting.length - MOST_WAITING)
  }

  #decode(coded: Coded | undefined): void {
    const setup = this.#setup
    if (coded === undefined || setup === undefined) return
    this.#decoder ??= this.#open(setup)
    if (this.#decoder.state !== 'configured') return
    // Every AAC or Opus packet is a key packet.
    this.#decoder.decode(
      new EncodedAudioChunk({ type: 'key', timestamp: Math.round(coded.time * MICROSECONDS), data: coded.data }),
    )
  }

  #open(setup: Playable): AudioDecoder {
    const opened = new AudioDecoder({
      output: (data) => {
        if (this.#decoder === opened) this.#take(data)
        data.close()
      },
      // After a decoding error there is silence until the next packet opens a new decoder.
      error: () => {
        if (this.#decoder === opened) this.#decoder = undefined
      },
    })
    opened.configure(configOf(setup))
    return opened
  }

  #closeDecoder(): void {
    if (this.#decoder !== undefined && this.#decoder.state !== 'closed') this.#decoder.close()
    this.#decoder = undefined
  }

  #take(data: AudioData): void {
    const speaker = this.#speaker
    if (speaker === undefined) return
    const buffer = speaker.bufferOf(data)
    const heard = { time: data.timestamp / MICROSECONDS, buffer }
    this.#decoded.push(heard)
    if (this.#offset !== undefined) this.#schedule(heard)
  }

  #schedule({ time, buffer }: Heard): void {
    const speaker = this.#speaker
    if (speaker === undefined || this.#offset === undefined) return
    const due = time + this.#offset
    const at = Math.abs(due - this.#end) < SEAM ? this.#end : due
    if (at < speaker.now()) return
    const node = speaker.play(buffer, at)
    this.#end = at + buffer.duration
    this.#playing.add(node)
    node.addEventListener('ended', () => this.#playing.delete(node))
  }

  /** Adjusts the live delay: only arrival times show how much sound lags behind its picture. */
  #judgeArrival(newest: number): void {
    if (this.#offset === undefined || this.#speaker === undefined || this.#clock.delay === 0) return
    const now = this.#speaker.now()
    const early = newest + this.#offset - now
    this.#least = Math.min(this.#least, early)
    if (early < 0) this.#allow(this.#delay - early + SPARE)
    else if (now - this.#judgedAt > JUDGED_OVER) {
      if (this.#least > NOT_NEEDED && this.#delay > this.#clock.delay) this.#allow(this.#delay - this.#least + SPARE)
      this.#judgeAnew()
    }
  }

  #allow(delay: number): void {
    this.#delay = Math.min(Math.max(delay, this.#clock.delay), LONGEST_DELAY)
    this.#offset = undefined
    this.#judgeAnew()
  }

  #judgeAnew(): void {
    this.#judgedAt = this.#speaker?.now() ?? 0
    this.#least = Number.POSITIVE_INFINITY
  }

  #silence(): void {
    for (const node of this.#playing) node.stop()
    this.#playing.clear()
    this.#offset = undefined
    this.#end = 0
  }
}

/** The RFC 6381 name of the sound codec: the stream's codec that is not the picture's. */
const soundCodec = ({ mime, codec }: InitMessage): string | undefined =>
  /codecs="([^"]*)"/
    .exec(mime)?.[1]
    ?.split(',')
    .map((name) => name.trim())
    .find((name) => name !== codec)

const configOf = ({ codec, channels, sampleRate, description }: Playable): AudioDecoderConfig => ({
  codec,
  numberOfChannels: channels,
  sampleRate,
  ...(description === undefined ? {} : { description }),
})

async function isSupported(setup: Playable): Promise<boolean> {
  if (typeof AudioDecoder === 'undefined') return false
  try {
    return (await AudioDecoder.isConfigSupported(configOf(setup))).supported === true
  } catch {
    return false
  }
}
