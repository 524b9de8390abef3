import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file system of its own, of a size that can be filled. */
export interface SmallDisk extends Disposable {
  readonly folder: string
  /** Takes the room that is left; {@link SmallDisk.filler} may be removed again. */
  fill(): Promise<void>
  readonly filler: string
  /** False where it cannot be done now: while a file is open for writing it cannot be made read-only. */
  setReadOnly(isReadOnly: boolean): boolean
}

const mount = (...words: readonly string[]): boolean => spawnSync('mount', words).status === 0

/** Mounts one on a folder, which is made; undefined where this user may not mount. */
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
