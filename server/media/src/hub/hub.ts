import type { AccessUnit, StreamMessage, TrackConfig } from '../frame/index.ts'
import { byteLength, type HubReader, ReaderQueue } from './hub-reader.ts'

export interface JoinOptions {
  /** What may wait for this reader; beyond it, it is skipped to the next key picture. */
  readonly maxQueuedBytes: number
  /**
   * `running-gop`: everything since the last key picture, so that a picture is available immediately. `next-key`: from
   * the next key picture. `now`: from the next unit.
   */
  readonly start: 'running-gop' | 'next-key' | 'now'
}

/** A complete picture that can be decoded without others, with what a decoder needs. */
export interface KeyPicture {
  readonly tracks: readonly TrackConfig[]
  readonly unit: AccessUnit
}

/** One camera stream: what its source publishes reaches every reader, each at its own pace. */
export interface Hub {
  publish(message: StreamMessage): void
  /**
   * A reader that joins before the source exists waits; one that joins while it is lost gets 'ended' first. Otherwise
   * the first message is 'tracks'.
   */
  join(options: JoinOptions): HubReader
  /** The newest key picture, even after the source was lost: its `wallClock` gives its age. */
  latestKeyPicture(): KeyPicture | undefined
  readonly readers: number
}

/** A camera that sends key pictures too seldom must not fill the memory; new viewers then wait for the next one. */
const MAX_GOP_BYTES = 32 * 1024 * 1024
const MAX_GOP_UNITS = 20_000

export function createHub(): Hub {
  const readers = new Set<ReaderQueue>()
  let announced: Exclude<StreamMessage, { kind: 'unit' }> | undefined
  let gop: Extract<StreamMessage, { kind: 'unit' }>[] = []
  let gopBytes = 0
  let keyPicture: KeyPicture | undefined

  const keep = (message: Extract<StreamMessage, { kind: 'unit' }>): void => {
    const { unit } = message
    if (unit.kind === 'video' && unit.isKey) {
      gop = [message]
      gopBytes = byteLength(unit)
      if (announced?.kind === 'tracks') keyPicture = { tracks: announced.tracks, unit }
      return
    }
    if (gop.length === 0) return
    gop.push(message)
    gopBytes += byteLength(unit)
    if (gopBytes > MAX_GOP_BYTES || gop.length > MAX_GOP_UNITS) gop = []
  }

  return {
    publish(message) {
      if (message.kind === 'unit') {
        keep(message)
      } else {
        announced = message
        gop = []
      }
      for (const reader of readers) reader.push(message)
    },
    join({ maxQueuedBytes, start }) {
      const isGopThere = start === 'running-gop' && gop.length > 0 && gopBytes <= maxQueuedBytes
      const waitsForKey = start !== 'now' && !isGopThere
      const reader = new ReaderQueue({ maxQueuedBytes, waitsForKey, onLeave: (left) => readers.delete(left) })
      if (announced !== undefined) reader.push(announced)
      if (isGopThere) for (const message of gop) reader.push(message)
      readers.add(reader)
      return reader
    },
    latestKeyPicture: () => keyPicture,
    get readers() {
      return readers.size
    },
  }
}
