import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A separate file system small enough to fill. */
export interface SmallDisk extends Disposable {
  readonly folder: string
  /** Fills the remaining space with {@link SmallDisk.filler}, which can be removed again. */
  fill(): Promise<void>
  readonly filler: string
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
    setReadOnly(isReadOnly) {
      return mount('-o', isReadOnly ? 'remount,ro' : 'remount,rw', folder)
    },
    [Symbol.dispose]() {
      spawnSync('umount', ['-l', folder])
    },
  }
}
