import { spawnSync } from 'node:child_process'
import { mkdirSync, statfsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A separate file system small enough to fill. */
export interface SmallDisk extends Disposable {
  readonly folder: string
  /** Fills the remaining space with {@link SmallDisk.filler}, which can be removed again. */
  fill(): Promise<void>
  readonly filler: string
  /** Fills a file until about so many megabytes are left. */
  fillBut(path: string, megabytes: number): Promise<void>
  /** Returns false if that is impossible now: it cannot become read-only while a file is open for writing. */
  setReadOnly(isReadOnly: boolean): boolean
}

const mount = (...words: readonly string[]): boolean => spawnSync('mount', words).status === 0

/** Creates a folder and mounts a small disk on it; undefined if this user cannot mount. */
export function smallDisk(folder: string, megabytes: number): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!mount('-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder)) return undefined
  const filler = join(folder, 'filler')
  return {
    folder,
    filler,
    async fill() {
      const chunk = new Uint8Array(64 * 1024)
      const isFull = (error: NodeJS.ErrnoException) => error.code === 'ENOSPC'
      for (let isRoom = true; isRoom; ) {
        isRoom = await writeFile(filler, chunk, { flag: 'a' }).then(
          () => true,
          (error) => {
            if (!isFull(error)) throw error
            return false
          },
        )
      }
    },
    async fillBut(path, left) {
      const free = statfsSync(folder).bavail * statfsSync(folder).bsize - left * 1024 * 1024
      const chunk = new Uint8Array(1024 * 1024)
      for (let written = 0; written < free; written += chunk.length) await writeFile(path, chunk, { flag: 'a' })
    },
    setReadOnly(isReadOnly) {
      return mount('-o', isReadOnly ? 'remount,ro' : 'remount,rw', folder)
    },
    [Symbol.dispose]() {
      spawnSync('umount', ['-l', folder])
    },
  }
}
