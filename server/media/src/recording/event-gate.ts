import type { StreamMessage } from '../frame/index.ts'
import { byteLength, type HubMessage, type HubReader, type MemoryBudget } from '../hub/index.ts'
import type { EventTriggers } from './event-triggers.ts'
import { PreRoll } from './pre-roll.ts'
import type { RecorderInput, RecorderMessage } from './record-options.ts'
import { causeOfEnd, type RunEnd } from './run-log.ts'
import type { SegmentKind } from './segment-layout.ts'

/** A clip that no key picture ends is ended this long after its time. */
const MAX_TAIL_MS = 10_000

export interface EventGateDeps {
  readonly reader: HubReader
  /** Where the pre-roll counts. */
  readonly memory: MemoryBudget
  readonly triggers: EventTriggers
  /** Whether only events are recorded now. */
  readonly isOnEvents: () => boolean
  /** From this time on (milliseconds since 1970) nothing is recorded, although no run ends there. */
  readonly notRecorded: (from: number, why: RunEnd) => void
  /** Whether pictures are kept back now because nothing happens. */
  readonly standby: (isStandby: boolean) => void
}

type UnitMessage = Extract<StreamMessage, { kind: 'unit' }>

const isKeyPicture = ({ unit }: UnitMessage): boolean => unit.kind === 'video' && unit.isKey

/** What the recorder can take now. Units count in the budget, but no one else can have their memory. */
class ReadyMessages {
  readonly #memory: MemoryBudget
  #messages: RecorderMessage[] = []
  /** Taking from the front of an array would move all the others. */
  #head = 0

  constructor(memory: MemoryBudget) {
    this.#memory = memory
  }

  get isEmpty(): boolean {
    return this.#head === this.#messages.length
  }

  push(message: RecorderMessage): void {
    this.#messages.push(message)
    if (message.kind === 'unit') this.#memory.count(byteLength(message.unit))
  }

  take(): RecorderMessage | undefined {
    const message = this.#messages[this.#head]
    if (message === undefined) return undefined
    this.#head++
    if (this.isEmpty) {
      this.#messages = []
      this.#head = 0
    }
    if (message.kind === 'unit') this.#memory.count(-byteLength(message.unit))
    return message
  }

  clear(): void {
    while (!this.isEmpty) this.take()
  }
}

/**
 * Between a hub and a recorder: lets everything through, or only what events want. A clip begins with the key picture at or
 * before the pre-roll of its event and ends before the first key picture after the post-roll, so that the next clip can
 * continue there without a hole. Only one `next` may be waiting at a time.
 */
export class EventGate implements RecorderInput, AsyncDisposable {
  readonly #deps: EventGateDeps
  readonly #preRoll: PreRoll
  readonly #unfollow: () => void
  #tracks: Extract<StreamMessage, { kind: 'tracks' }> | undefined
  /** What passes now; undefined while nothing does. */
  #open: SegmentKind | undefined
  readonly #ready: ReadyMessages
  #waiting: ((message: RecorderMessage | undefined) => void) | undefined
  #isReading = false
  /** Nothing more comes from the hub. */
  #isOver = false
  /** The source is lost: the next key picture begins another pre-roll. */
  #isLost = false
  /** Whether the catalogue knows why nothing is recorded now. */
  #isNoted = false
  #lastPictureAt = 0

  constructor(deps: EventGateDeps) {
    this.#deps = deps
    this.#preRoll = new PreRoll(deps.memory, () => deps.triggers.preRollMs)
    this.#ready = new ReadyMessages(deps.memory)
    this.#unfollow = deps.triggers.follow(() => {
      this.#openForEvent()
      this.#deliver()
    })
  }

  take(): RecorderMessage | undefined {
    while (this.#ready.isEmpty) {
      const message = this.#deps.reader.take()
      if (message === undefined) return undefined
      this.#accept(message)
    }
    return this.#ready.take()
  }

  next(): Promise<RecorderMessage | undefined> {
    if (this.#waiting !== undefined) throw new Error('event gate: next() is already waiting')
    const message = this.take()
    if (message !== undefined || this.#isOver) return Promise.resolve(message)
    const { promise, resolve } = Promise.withResolvers<RecorderMessage | undefined>()
    this.#waiting = resolve
    this.#read()
    return promise
  }

  finish(): void {
    this.#unfollow()
    this.#deps.reader.finish()
  }

  leave(): void {
    this.#isOver = true
    this.#unfollow()
    this.#deps.reader.leave()
    this.#preRoll[Symbol.dispose]()
    this.#ready.clear()
    this.#deliver()
  }

  /** The recorder has ended: says why nothing follows if nothing was recorded. */
  ended(at: number, why: RunEnd): void {
    if (this.#open === undefined && this.#isNoted) this.#deps.notRecorded(at, why)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.leave()
  }

  #read(): void {
    if (this.#isReading) return
    this.#isReading = true
    void this.#deps.reader.next().then((message) => {
      this.#isReading = false
      if (message === undefined) this.#isOver = true
      else this.#accept(message)
      this.#deliver()
      if (this.#waiting !== undefined) this.#read()
    })
  }

  #deliver(): void {
    const resolve = this.#waiting
    if (resolve === undefined || (this.#ready.isEmpty && !this.#isOver)) return
    this.#waiting = undefined
    resolve(this.#ready.take())
  }

  #accept(message: HubMessage): void {
    if (message.kind === 'tracks') this.#tracks = message
    if (message.kind === 'ended') this.#acceptEnd(message)
    else if (message.kind === 'skipped' && this.#open === undefined) this.#preRoll.release()
    else if (message.kind !== 'unit') this.#pass(message)
    else if (isKeyPicture(message)) this.#acceptKey(message)
    else this.#acceptUnit(message)
  }

  #acceptEnd(message: Extract<StreamMessage, { kind: 'ended' }>): void {
    // An event of just before may be noticed only now: the pre-roll stays until the camera is back.
    this.#pass(message)
    if (this.#open === undefined && this.#isNoted)
      this.#deps.notRecorded(this.#lastPictureAt, causeOfEnd(message.cause))
    this.#open = undefined
    this.#isNoted = false
    this.#isLost = true
  }

  #acceptUnit(message: UnitMessage): void {
    const { wallClock } = message.unit
    const isOver = this.#open === 'event' && !this.#deps.triggers.isWanted(wallClock - MAX_TAIL_MS)
    if (isOver && !this.#deps.triggers.isWanted(wallClock)) this.#close()
    if (message.unit.kind === 'video') this.#lastPictureAt = wallClock
    this.#pass(message)
  }

  #acceptKey(message: UnitMessage): void {
    const { wallClock } = message.unit
    this.#lastPictureAt = wallClock
    if (this.#isLost) this.#preRoll.release()
    this.#isLost = false
    const { triggers, isOnEvents } = this.#deps
    const eventKind = triggers.isWanted(wallClock) ? 'event' : undefined
    const wanted = isOnEvents() ? eventKind : 'continuous'
    // A pre-roll is there already: the event's clip begins with it.
    if (wanted === 'event' && this.#open === undefined) this.#openForEvent(wallClock)
    if (this.#open !== wanted) {
      if (this.#open !== undefined) this.#close()
      if (wanted !== undefined) this.#openNow(wanted)
    }
    if (this.#open === undefined) this.#keep(message)
    else this.#ready.push(message)
  }

  /** A key picture that isn't wanted begins the pre-roll. */
  #keep(message: UnitMessage): void {
    if (this.#tracks !== undefined) this.#preRoll.begin(this.#tracks, message)
    if (this.#isNoted) return
    this.#isNoted = true
    this.#deps.notRecorded(message.unit.wallClock, 'noEvent')
    this.#deps.standby(true)
  }

  #pass(message: HubMessage): void {
    if (this.#open === undefined) this.#preRoll.add(message)
    else this.#ready.push(message)
  }

  #openNow(kind: SegmentKind): void {
    this.#preRoll.release()
    this.#open = kind
    this.#isNoted = false
    this.#ready.push({ kind: 'purpose', of: kind })
    if (this.#tracks !== undefined) this.#ready.push(this.#tracks)
    this.#deps.standby(false)
  }

  /** Begins a clip with what is in the pre-roll, if an event wants any of it. */
  #openForEvent(now = this.#lastPictureAt): void {
    const { triggers, isOnEvents } = this.#deps
    const since = this.#preRoll.start
    if (this.#isOver || this.#open !== undefined || since === undefined || !isOnEvents()) return
    const start = triggers.findStart(since, now)
    if (start === undefined) return
    const messages = this.#preRoll.takeFrom(start)
    this.#ready.push({ kind: 'purpose', of: 'event' })
    for (const message of messages) this.#ready.push(message)
    const isEnded = messages.at(-1)?.kind === 'ended'
    this.#open = isEnded ? undefined : 'event'
    this.#isNoted = false
    this.#deps.standby(false)
  }

  #close(): void {
    this.#open = undefined
    this.#isNoted = true
    this.#ready.push({ kind: 'ended', cause: 'noEvent' })
    this.#deps.standby(true)
  }
}
