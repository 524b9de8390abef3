import type { KeyObject } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { EpochMs } from '../clock/index.ts'
import { type FootageHead, readCheckpoint } from './checkpoint.ts'
import { readLines } from './checkpoint-file.ts'

/** Heads of lists of footage, as one checkpoint has them. */
export interface FootageCheckpoint {
  readonly number: number
  readonly at: EpochMs
  readonly heads: readonly FootageHead[]
}

/**
 * The checkpoints of a file that have heads of lists of footage and a valid signature. Whether checkpoints are missing is
 * checked by `verifyAudit`, which also has the database.
 *
 * @throws if the file can't be read.
 */
export async function* readFootageCheckpoints(file: string, publicKey: KeyObject): AsyncGenerator<FootageCheckpoint> {
  const { size } = await stat(file)
  for await (const line of readLines(file, size)) {
    const read = readCheckpoint(line)
    if (read === undefined || read.footage.length === 0 || !read.isSignedBy(publicKey)) continue
    yield { number: read.number, at: read.at, heads: read.footage }
  }
}
