import { type FileHandle, open } from 'node:fs/promises'
import type { OpenSegments } from './open-segments.ts'

/** Limits how much is read from a disk at a time. */
export type ReadQueue = <T>(read: () => Promise<T>) => Promise<T>

/** One segment, read by byte ranges. */
export interface SegmentFile extends AsyncDisposable {
  /** Bytes; it grows while the segment is being written. */
  size(): Promise<number>
  /** Fewer bytes than requested only at the end. They may be in `into`, if it is large enough. */
  read(position: number, length: number, into?: Buffer): Promise<Uint8Array>
}

/**
 * The store of segments as its readers see it: their names are listed from the folders on the disk, wherever the bytes
 * are.
 */
export interface SegmentFiles {
  /**
   * Opens a segment by its path on the disk. Rejects with the code `ENOENT` if there is none.
   * @param signal ends waiting for a store that doesn't answer.
   */
  open(path: string, signal?: AbortSignal): Promise<SegmentFile>
  /** What is known of those that are being written; without it, each reader finds out for itself. */
  readonly unclosed?: OpenSegments
}

/** Segments on the disk. */
export function diskFiles(reads: ReadQueue = (read) => read()): SegmentFiles {
  return {
    async open(path) {
      const file = await reads(() => open(path, 'r'))
      return {
        size: async () => (await reads(() => file.stat())).size,
        read: (position, length, into) => reads(() => readBytes(file, position, roomFor(length, into))),
        [Symbol.asyncDispose]: () => file.close(),
      }
    },
  }
}

export const onDisk: SegmentFiles = diskFiles()

const roomFor = (length: number, into: Buffer | undefined): Buffer =>
  into !== undefined && into.length >= length ? into.subarray(0, length) : Buffer.allocUnsafe(length)

async function readBytes(file: FileHandle, position: number, buffer: Buffer): Promise<Uint8Array> {
  let filled = 0
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}
