import type { KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../db/index.ts'
import { type ReadCheckpoint, readCheckpoint } from './checkpoint.ts'
import { appendLines, lastLine } from './checkpoint-file.ts'
import type { StoredCheckpoint } from './store.ts'

/** The file of checkpoints, preferably on another disk than the database. */
export interface CheckpointReplica {
  /** Our newest checkpoint in the file. Throws if the file can't be read, or ends with something that isn't ours. */
  newest(): Promise<ReadCheckpoint | undefined>
  /** Appends the database's entries after that one. */
  catchUp(tx: Tx): Promise<void>
}

const PAGE = 100

export function checkpointReplica(file: string, publicKey: KeyObject): CheckpointReplica {
  const newest = async (): Promise<ReadCheckpoint | undefined> => {
    const line = await lastLine(file)
    if (line === undefined) return undefined
    const checkpoint = readCheckpoint(line)
    if (checkpoint?.isSignedBy(publicKey)) return checkpoint
    throw new Error(`the last line of ${file} is not a checkpoint signed by this installation`)
  }
  return {
    newest,
    async catchUp(tx) {
      let last = (await newest())?.number ?? 0
      for (;;) {
        const lines = await storedAfter(tx, last)
        if (lines.length === 0) return
        await appendLines(
          file,
          lines.map(({ line }) => line),
        )
        last = lines.at(-1)?.number ?? last
      }
    },
  }
}

async function storedAfter(tx: Tx, number: number): Promise<readonly StoredCheckpoint[]> {
  const { rows } = await sql<StoredCheckpoint>`
    select number, line from audit_checkpoints where number > ${number} order by number limit ${PAGE}`.execute(tx)
  return rows
}
