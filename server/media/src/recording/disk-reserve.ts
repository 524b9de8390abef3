import { randomFillSync } from 'node:crypto'
import { appendFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { FILE_MODE } from './durable-folder.ts'

const RESERVE_BYTES = 1024 * 1024
/** Space for a hundred tombstones; less than most parts, so that a retrying recorder doesn't use it first. */
const STEP_BYTES = 64 * 1024

/**
 * A file that reserves a little disk space. Footage is deleted only after its tombstone is written, so a completely
 * full disk could never free any space without it.
 */
export class DiskReserve {
  readonly #path: string

  constructor(store: string) {
    this.#path = join(store, 'reserve')
  }

  /** Restores its full size, as far as there is space. */
  async refill(): Promise<void> {
    try {
      const size = await this.#size()
      if (size >= RESERVE_BYTES) return
      // Not zeros: a file system might keep those without taking room for them.
      await appendFile(this.#path, randomFillSync(new Uint8Array(RESERVE_BYTES - size)), { mode: FILE_MODE })
    } catch {
      // Failed writes are retried at the next sweep; other users of the disk report its fault.
    }
  }

  /** Releases a little. False if nothing is left. Rejects if the disk fails. */
  async release(): Promise<boolean> {
    const size = await this.#size()
    if (size === 0) return false
    await truncate(this.#path, Math.max(size - STEP_BYTES, 0))
    return true
  }

  async #size(): Promise<number> {
    try {
      return (await stat(this.#path)).size
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 0
      throw new Error(`could not read ${this.#path}`, { cause })
    }
  }
}
