import { s3ObjectStore } from '@sightline/platform/object-store'
import { readQueue } from '../playback/index.ts'
import { bucketFiles, diskFiles, OpenSegments, type ReadQueue, type SegmentFiles } from '../recording/index.ts'
import type { MediaWorkerDeps } from './media-worker.ts'

/** Segments wherever they are: on the disk, or only in S3. */
export interface FootageFiles extends Disposable {
  /** The queue for all that viewers read from the disk. */
  readonly reads: ReadQueue
  readonly files: SegmentFiles
}

export function openFootageFiles({ store, s3 }: Pick<MediaWorkerDeps, 'store' | 's3'>): FootageFiles {
  const reads = readQueue()
  // Connections of their own, so that viewers don't wait for copying.
  const objects = s3 && s3ObjectStore(s3)
  return {
    reads,
    files: { ...bucketFiles({ store, objects, disk: diskFiles(reads) }), unclosed: new OpenSegments() },
    [Symbol.dispose]: () => objects?.[Symbol.dispose](),
  }
}
