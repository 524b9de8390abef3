import { randomBytes } from 'node:crypto'
import { type AccessUnit, PictureCadence, releaseUnit, type TrackConfig } from '../frame/index.ts'
import { ClockJumps } from './clock-jump.ts'
import { checkFence, FencedError } from './fence.ts'
import { type Part, PartAssembler } from './part-assembler.ts'
import type { RecorderInput, RecorderMessage, RecordOptions } from './record-options.ts'
import { newRecordingCounters, type RecordingCounters } from './recording-counters.ts'
import type { RecordingHealth } from './recording-health.ts'
import { rotationPhase } from './rotation.ts'
import { RunClock } from './run-clock.ts'
import { causeOfEnd, isRunEnd, type RunEnd, type RunSlice } from './run-log.ts'
import { RunTracker } from './run-tracker.ts'
import { sameTracks } from './same-tracks.ts'
import { NO_KEY, type SegmentEnd, type SegmentKind } from './segment-layout.ts'
import { streamFolder, toHour } from './segment-name.ts'
import { SegmentWriter } from './segment-writer.ts'
import { checkLease } from './writer-lease.ts'

/** How recording ended: in order, or because another writer took over. */
export type RecordingEnd = 'stopped' | 'taken'

const SEGMENT_MS = 60_000
/** A part that no next picture closes is written after this time, with a guess for its last duration. */
const FLUSH_AFTER_MS = 900
const RETRY_AFTER_MS = 1000
const TICKS_PER_MS = 90

const randomId = (): string => randomBytes(16).toString('hex')

/**
 * Records one stream until its reader ends, the signal aborts (its reason, if it is a {@link RunEnd}, is stored as the
 * cause), or another writer takes over. When it resolves, everything that arrived is on the disk, indexed and in the
 * manifest. A disk fault doesn't end it: it reports the fault, waits for space and continues.
 */
export async function record(options: RecordOptions, signal: AbortSignal): Promise<RecordingEnd> {
  return await new Recorder(options).run(signal)
}

class Recorder {
  readonly #options: RecordOptions
  readonly #folder: string
  readonly #segmentMs: number
  readonly #phase: number
  readonly #newId: () => string
  readonly #counters: RecordingCounters

  #tracks: readonly TrackConfig[] = []
  #parts = new PartAssembler([])
  #segment: SegmentWriter | undefined
  #run: RunTracker | undefined
  #segmentsInRun = 0
  #kind: SegmentKind
  /** Set while units are dropped until a key picture starts a segment. */
  #waitsForKey = true
  readonly #cadence = new PictureCadence()
  readonly #clock = new RunClock()
  readonly #jumps: ClockJumps
  #lastArrivedAt = 0
  #retryAt = 0
  /** The last reported health. */
  #told: RecordingHealth['kind'] | undefined
  /** Written parts that await their sync before health is reported. */
  #isProving = false
  #timer: NodeJS.Timeout | undefined
  /** While this runs, neither the loop nor the timer touches the segment. */
  #work: Promise<void> | undefined
  #failure: unknown
  readonly #closing = new Set<Promise<void>>()

  constructor(options: RecordOptions) {
    this.#options = options
    this.#kind = options.kind
    this.#folder = streamFolder(options.store, options.stream)
    this.#segmentMs = options.segmentMs ?? SEGMENT_MS
    this.#phase = rotationPhase(options.stream, this.#segmentMs)
    this.#newId = options.newId ?? randomId
    this.#jumps = new ClockJumps(options.monotonic ?? (() => performance.now()))
    this.#counters = options.counters ?? newRecordingCounters()
  }

  async run(signal: AbortSignal): Promise<RecordingEnd> {
    const { reader } = this.#options
    // What arrived before is recorded, however slow the disk is; what comes afterwards is not.
    const finish = () => reader.finish()
    signal.addEventListener('abort', finish)
    if (signal.aborted) finish()
    try {
      await this.#consume(reader)
      await this.#finish(signal.aborted && isRunEnd(signal.reason) ? signal.reason : 'stopped')
      return 'stopped'
    } catch (cause) {
      if (!(cause instanceof FencedError)) throw cause
      await this.#leaveSegment()
      this.#tell({ kind: 'fenced', cause })
      return 'taken'
    } finally {
      clearTimeout(this.#timer)
      signal.removeEventListener('abort', finish)
      reader.leave()
    }
  }

  async #consume(reader: RecorderInput): Promise<void> {
    for (;;) {
      const message = reader.take() ?? (await reader.next())
      if (this.#work !== undefined) await this.#work
      if (this.#failure !== undefined) throw this.#failure
      if (message === undefined) return await this.#handleAll(this.#clock.rest())
      const wasHolding = this.#clock.isHolding
      await this.#handleAll(this.#clock.take(message))
      if (!wasHolding && this.#clock.isHolding) this.#startTimer()
    }
  }

  async #handleAll(messages: readonly RecorderMessage[]): Promise<void> {
    for (const message of messages) {
      const work = this.#handle(message)
      if (work !== undefined) await this.#exclusively(work)
    }
  }

  async #exclusively(work: Promise<void>): Promise<void> {
    this.#work = work
    try {
      await work
    } finally {
      this.#work = undefined
    }
  }

  #handle(message: RecorderMessage): Promise<void> | undefined {
    switch (message.kind) {
      case 'purpose':
        this.#kind = message.of
        return undefined
      case 'tracks':
        return this.#changeTracks(message.tracks)
      case 'unit':
        return this.#handleUnit(message.track, message.unit)
      case 'ended':
        return this.#endRun(causeOfEnd(message.cause))
      case 'skipped':
        // The hub drops units for a slow reader, and a recorder is slow because of its disk.
        return this.#endRun('disk')
    }
  }

  async #changeTracks(tracks: readonly TrackConfig[]): Promise<void> {
    if (sameTracks(tracks, this.#tracks)) return
    await this.#flushPart()
    this.#closeSegment('parameters', 'withGroup')
    this.#tracks = tracks
    this.#parts = new PartAssembler(tracks)
    this.#waitsForKey = true
  }

  /** Called for every unit, so it creates a promise only if there is something to write. */
  #handleUnit(track: number, arrived: AccessUnit): Promise<void> | undefined {
    const leads = this.#parts.leads(track)
    const startsSegment = leads && arrived.isKey
    if (this.#waitsForKey && !(startsSegment && performance.now() >= this.#retryAt)) return undefined
    if (leads && this.#cadence.add(arrived)) return this.#takeAfterHole(track, arrived)
    return this.#take(track, arrived)
  }

  /** The run ends where pictures are missing. Without a key picture to begin another one, it continues with a gap in it. */
  async #takeAfterHole(track: number, arrived: AccessUnit): Promise<void> {
    const why = arrived.followsLoss === true ? 'network' : 'cameraOffline'
    await this.#flushPart()
    if (arrived.isKey) this.#closeRun(why, 'withGroup')
    else this.#run?.ended(why)
    await this.#take(track, arrived)
  }

  #take(track: number, arrived: AccessUnit): Promise<void> | undefined {
    const startsSegment = this.#parts.leads(track) && arrived.isKey
    const jump = this.#parts.leads(track) ? this.#jumps.take(arrived, startsSegment) : undefined
    const wasEmpty = this.#parts.isEmpty
    const closed = this.#parts.add(track, this.#jumps.onRunClock(arrived))
    const ends = startsSegment ? this.#endsBefore(arrived, jump) : undefined
    this.#waitsForKey = false
    this.#lastArrivedAt = performance.now()
    if (wasEmpty || closed !== undefined) this.#startTimer()
    return closed === undefined && ends === undefined ? undefined : this.#writeAndEnd(closed, ends)
  }

  #endsBefore(key: AccessUnit, jump: RunEnd | undefined): SegmentEnd | undefined {
    if (this.#segment === undefined) return undefined
    if (jump !== undefined) return jump
    const slot = (time: number) => Math.floor((time + this.#phase) / this.#segmentMs)
    return slot(key.wallClock) > slot(this.#segment.header.start) || this.#segment.isFull ? 'rotation' : undefined
  }

  async #writeAndEnd(part: Part | undefined, end: SegmentEnd | undefined): Promise<void> {
    if (part !== undefined) await this.#write(part)
    if (end === 'clock' || end === 'stopped') this.#closeRun(end, 'withGroup')
    else if (end !== undefined) this.#closeSegment(end, 'withGroup')
  }

  #startTimer(): void {
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#timeIsUp(), FLUSH_AFTER_MS)
    else this.#timer.refresh()
  }

  #timeIsUp(): void {
    if (this.#work === undefined) void this.#exclusively(this.#flushOrFail())
    else this.#startTimer()
  }

  /** The timer's work isn't awaited, so its failure must reach the loop. */
  async #flushOrFail(): Promise<void> {
    try {
      for (const message of this.#clock.rest()) await this.#handle(message)
      await this.#flushPart()
    } catch (cause) {
      this.#failure = cause
      this.#options.reader.leave()
    }
  }

  async #flushPart(): Promise<void> {
    const part = this.#parts.flush((performance.now() - this.#lastArrivedAt) * TICKS_PER_MS)
    if (part !== undefined) await this.#write(part)
  }

  async #write(part: Part): Promise<void> {
    const suspect = this.#segment?.suspect
    if (suspect !== undefined) return this.#startAfresh(part, suspect)
    try {
      const segment = this.#segment ?? (part.isKey ? await this.#newSegment(part) : undefined)
      if (segment === undefined) return
      this.#options.room?.check()
      await checkLease(this.#options.lease, this.#folder)
      const bytes = await segment.append(part)
      for (const { unit } of part.samples) releaseUnit(unit)
      const end = part.wallClock + Math.round(part.duration / TICKS_PER_MS)
      const hasPicture = part.pictures > 0 || !this.#tracks.some(({ kind }) => kind === 'video')
      const slice = this.#run?.wrote({ start: part.wallClock, end, bytes, hasPicture })
      if (slice !== undefined) this.#tellProgress(segment, slice)
      this.#counters.pictures += part.pictures
      this.#counters.bytes += bytes
      if (this.#told !== 'ok' && !this.#isProving) this.#tellWhenSound(segment)
    } catch (cause) {
      if (cause instanceof FencedError) throw cause
      await this.#segment?.abandon().catch(() => undefined)
      this.#segment = undefined
      this.#startAfresh(part, cause)
    }
  }

  #tellProgress(segment: SegmentWriter, slice: RunSlice): void {
    const isKept = segment.synced().then(() => segment.suspect === undefined)
    this.#options.progress?.written(slice, isKept)
  }

  async #newSegment(part: Part): Promise<SegmentWriter> {
    const { stream, lease, group, runs } = this.#options
    const kind = this.#kind
    const dayKey = this.#options.dayKey?.(part.wallClock)
    this.#run ??= new RunTracker(runs, { ...stream, kind, runId: this.#newId() })
    const header = {
      ...stream,
      kind,
      version: 2 as const,
      segmentId: this.#newId(),
      runId: this.#run.runId,
      segmentInRun: this.#segmentsInRun++,
      fence: lease.fence,
      start: part.wallClock,
      baseTime: Math.min(...part.samples.map((sample) => sample.unit.time)),
      keyId: dayKey?.keyId ?? NO_KEY,
    }
    const failed = (cause: unknown) => this.#tellFault(cause)
    const folder = this.#folder
    await checkFence(folder, lease.fence)
    this.#segment = await SegmentWriter.create({ folder, header, tracks: this.#tracks, group, dayKey, failed })
    return this.#segment
  }

  /** After a fault: the run is over; the next one begins with a key picture, after a short delay. */
  #startAfresh(lost: Part, cause: unknown): void {
    const { runs, stream } = this.#options
    // The end of a run carries the reason for the gap; if no run could begin, the log needs it.
    if (this.#told !== 'diskFault' && this.#run?.hasFootage !== true) runs.notRecorded(stream, lost.wallClock, 'disk')
    this.#tellFault(cause)
    this.#closeRun('disk', 'withGroup')
    this.#parts.discard()
    this.#cadence.restart()
    this.#waitsForKey = true
    this.#retryAt = performance.now() + RETRY_AFTER_MS
  }

  #tellFault(cause: unknown): void {
    this.#isProving = false
    this.#tell({ kind: 'diskFault', cause })
  }

  /** A write that succeeds proves little; a sync without an error is what ends a fault. */
  #tellWhenSound(segment: SegmentWriter): void {
    this.#isProving = true
    const told = segment.synced().then(() => {
      if (this.#isProving && segment.suspect === undefined) this.#tell({ kind: 'ok' })
      this.#isProving = false
    })
    this.#track(told)
  }

  #tell(health: RecordingHealth): void {
    this.#told = health.kind
    this.#options.health(health)
  }

  async #endRun(why: RunEnd): Promise<void> {
    await this.#flushPart()
    this.#closeRun(why, 'withGroup')
    this.#waitsForKey = true
    this.#cadence.restart()
    this.#jumps.restart()
  }

  #closeRun(why: RunEnd, when: 'now' | 'withGroup'): void {
    this.#closeSegment(why, when)
    this.#run?.ended(why)
    this.#run = undefined
    this.#segmentsInRun = 0
  }

  /** The next segment does not wait until this one is indexed and synced. */
  #closeSegment(end: SegmentEnd, when: 'now' | 'withGroup'): void {
    const segment = this.#segment
    this.#segment = undefined
    if (segment === undefined) return
    // What another writer has taken over is recovered by it.
    const left = (cause: unknown) => (cause instanceof FencedError ? segment.leave() : this.#tellFault(cause))
    this.#track(this.#index(segment, end, when).catch(left))
  }

  async #index(segment: SegmentWriter, end: SegmentEnd, when: 'now' | 'withGroup'): Promise<void> {
    await checkLease(this.#options.lease, this.#folder)
    const line = await segment.close(end, when)
    // A writer that slept may believe in its lease; a line of its own would break the chain of the next writer.
    await checkFence(this.#folder, line.fence)
    await this.#options.manifest.append(line, toHour(line.start))
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#closing.delete(tracked))
    this.#closing.add(tracked)
  }

  async #finish(why: RunEnd): Promise<void> {
    await this.#flushPart()
    if (this.#segment !== undefined) await checkLease(this.#options.lease, this.#folder)
    this.#closeRun(why, 'now')
    const done = Promise.all(this.#closing)
    // Segments that were just rotated wait for their turn.
    await this.#options.group.flush()
    await done
    await this.#options.group.flush()
  }

  /** As it is: who writes next puts it in order. */
  async #leaveSegment(): Promise<void> {
    const segment = this.#segment
    this.#segment = undefined
    await segment?.leave()
    await this.#options.group.flush()
    await Promise.all(this.#closing)
  }
}
