/**
 * Footage that a camera recorded on its card and the server did not: it becomes segments of the camera's main stream, marked as
 * such, beside those that are recorded at the same time.
 */
import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import { placeCardSound } from './card-sound.ts'
import { readCatalogue } from './catalogue.ts'
import type { DiskRoom } from './disk-room.ts'
import { syncFolder } from './durable-folder.ts'
import { checkFence } from './fence.ts'
import type { DayKey } from './footage-keys.ts'
import { Manifest, readManifest } from './manifest.ts'
import { PartAssembler } from './part-assembler.ts'
import type { FinishedSlice, RunEnd, RunLog, StreamKey } from './run-log.ts'
import { hoursBack, listEntries } from './segment-files.ts'
import { NO_KEY } from './segment-layout.ts'
import { type Hour, hourFolder, parseFileName, streamFolder, toHour } from './segment-name.ts'
import { SegmentWriter } from './segment-writer.ts'
import type { SyncGroup } from './sync-group.ts'
import { checkLease, type WriterLease } from './writer-lease.ts'

/** Behind the name of a file whose line isn't in the manifest yet; readers don't see it. */
const SUFFIX = '.import'
const TICKS_PER_MS = 90

export interface CardImportOptions {
  readonly store: string
  readonly stream: StreamKey
  readonly lease: WriterLease
  readonly group: SyncGroup
  readonly room?: DiskRoom | undefined
  readonly runs: RunLog
  /** @throws {MissingDayKey} */
  readonly dayKey?: (time: number) => DayKey
}

/** Frames of sound, with the times that the camera said. */
export interface CardSound {
  readonly track: TrackConfig
  readonly units: readonly AccessUnit[]
}

/** Some seconds of pictures, the first of them a keyframe. */
export interface ImportedPictures {
  readonly track: TrackConfig
  readonly units: readonly AccessUnit[]
  /** The keyframe that follows in the next call: where these end. */
  readonly next: AccessUnit | undefined
  /** What was heard at that time; undefined if it isn't to be kept, or there is none. */
  readonly sound?: CardSound | undefined
  /** Why nothing follows: of the gap that is filled. */
  readonly why: RunEnd
}

interface ToWrite {
  readonly tracks: readonly TrackConfig[]
  readonly pictures: readonly AccessUnit[]
  readonly next: AccessUnit | undefined
  /** By their times in the run. */
  readonly heard: readonly AccessUnit[]
}

/** One gap of a stream that is filled: its segments are one run. */
export class CardImport {
  readonly #options: CardImportOptions
  readonly #folder: string
  readonly #runId = randomBytes(16).toString('hex')
  #runStart: number | undefined
  #segments = 0
  /** In ticks of the run. */
  #heardUntil: number | undefined

  constructor(options: CardImportOptions) {
    this.#options = options
    this.#folder = streamFolder(options.store, options.stream)
  }

  /**
   * What earlier attempts left: a file whose line is in the manifest gets its name, any other is deleted. Footage of the range that is
   * in the files and not in the log is told to the log; returns it.
   */
  async tidy(from: number, to: number): Promise<readonly FinishedSlice[]> {
    const { store, stream, runs } = this.#options
    await this.#settleFiles(toHour(from), toHour(to))
    const slices = await readCatalogue(store, stream, from)
    const present = slices.filter(({ start, end, origin }) => origin === 'card' && start < to && end > from)
    for (const slice of present) {
      runs.runStarted(slice)
      runs.runEnded(slice, slice.why)
    }
    return present
  }

  /**
   * Writes a segment. A kill at any moment leaves it out or in: its line is on the disk before its file has its name, and
   * {@link tidy} finishes that. Returns the time that was written.
   */
  async add({
    track,
    units,
    next,
    sound,
    why,
  }: ImportedPictures): Promise<{ readonly start: number; readonly end: number }> {
    const { store, stream, lease, group, room, runs } = this.#options
    const [first] = units
    if (first === undefined) throw new Error('expected pictures to import, got none')
    room?.check()
    await checkLease(lease, this.#folder)
    await checkFence(this.#folder, lease.fence)
    this.#runStart ??= first.wallClock
    const timed = this.#onRunTime(first)
    let failure: unknown
    const failed = (cause: unknown) => (failure ??= cause)
    const heard = sound === undefined ? [] : this.#place(sound, first)
    const tracks = sound === undefined || heard.length === 0 ? [track] : [track, sound.track]
    const writer = await this.#open(first, tracks, failed)
    await this.#write(writer, { tracks, pictures: units.map(timed), next: next && timed(next), heard })
    const line = await writer.close(next === undefined ? why : 'rotation', 'now')
    if (failure !== undefined || writer.suspect !== undefined) {
      await rm(writer.path, { force: true })
      throw new Error('could not write footage of a card to the disk', { cause: failure })
    }
    await using manifest = await Manifest.open({ store, stream, group, failed })
    await manifest.append(line, toHour(line.start))
    await group.flush()
    await this.#name(writer.path)
    const slice = { ...stream, runId: this.#runId, kind: 'continuous', origin: 'card', ...spanOf(line) } as const
    runs.runStarted(slice)
    runs.runEnded(slice, next === undefined ? why : undefined)
    return { start: line.start, end: line.end }
  }

  #place({ track, units }: CardSound, first: AccessUnit): readonly AccessUnit[] {
    const start = this.#runStart ?? first.wallClock
    const from = Math.round((first.wallClock - start) * TICKS_PER_MS)
    const { placed, end } = placeCardSound(units, { track, start, from, after: this.#heardUntil })
    this.#heardUntil = end
    return placed
  }

  /** Times of a connection become those of the run: its pictures say when they were taken. */
  #onRunTime(first: AccessUnit): (unit: AccessUnit) => AccessUnit {
    const base = Math.round((first.wallClock - (this.#runStart ?? first.wallClock)) * TICKS_PER_MS)
    return (unit) => ({ ...unit, time: unit.time - first.time + base })
  }

  #open(first: AccessUnit, tracks: readonly TrackConfig[], failed: (cause: unknown) => void): Promise<SegmentWriter> {
    const { stream, lease, group, dayKey } = this.#options
    const key = dayKey?.(first.wallClock)
    const header = {
      ...stream,
      kind: 'continuous' as const,
      origin: 'card' as const,
      version: 2 as const,
      segmentId: randomBytes(16).toString('hex'),
      runId: this.#runId,
      segmentInRun: this.#segments++,
      fence: lease.fence,
      start: first.wallClock,
      baseTime: Math.round((first.wallClock - (this.#runStart ?? first.wallClock)) * TICKS_PER_MS),
      keyId: key?.keyId ?? NO_KEY,
    }
    return SegmentWriter.create({
      folder: this.#folder,
      header,
      tracks,
      group,
      dayKey: key,
      failed,
      suffix: SUFFIX,
    })
  }

  async #write(writer: SegmentWriter, { tracks, pictures, next, heard }: ToWrite): Promise<void> {
    const parts = new PartAssembler(tracks)
    let sounds = 0
    try {
      for (const unit of next === undefined ? pictures : [...pictures, next]) {
        for (let sound = heard[sounds]; sound !== undefined && sound.time < unit.time; sound = heard[++sounds])
          parts.add(1, sound)
        const part = parts.add(0, unit)
        if (part !== undefined) await writer.append(part)
      }
      if (next === undefined) for (const sound of heard.slice(sounds)) parts.add(1, sound)
      const last = next === undefined ? parts.flush(0) : undefined
      if (last !== undefined) await writer.append(last)
    } catch (cause) {
      await writer.abandon().catch(() => undefined)
      await rm(writer.path, { force: true }).catch(() => undefined)
      throw cause
    }
  }

  async #name(path: string): Promise<void> {
    await rename(path, path.slice(0, -SUFFIX.length))
    await this.#options.group.run(() => syncFolder(join(path, '..')))
  }

  async #settleFiles(from: Hour, to: Hour): Promise<void> {
    const left: { readonly path: string; readonly segmentId: string }[] = []
    for (let hour = from; hour <= to; hour++) {
      const folder = hourFolder(this.#folder, hour)
      for (const file of await listEntries(folder)) {
        const name = file.endsWith(SUFFIX) ? parseFileName(file.slice(0, -SUFFIX.length)) : undefined
        if (name !== undefined) left.push({ path: join(folder, file), segmentId: name.segmentId })
      }
    }
    if (left.length === 0) return
    const listed = await this.#listed(from)
    for (const { path, segmentId } of left) {
      if (listed.has(segmentId)) await this.#name(path)
      else await rm(path, { force: true })
    }
  }

  /** A line is in the manifest of its segment's hour or a later one. */
  async #listed(from: Hour): Promise<ReadonlySet<string>> {
    const ids = new Set<string>()
    for await (const hour of hoursBack(this.#folder)) {
      if (hour < from) break
      for (const { entry } of await readManifest(this.#folder, hour)) ids.add(entry.segmentId)
    }
    return ids
  }
}

const spanOf = ({ start, end, bytes, parts }: { start: number; end: number; bytes: number; parts: number }) => ({
  start,
  end,
  bytes,
  parts,
})
