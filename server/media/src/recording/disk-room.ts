import { statfs } from 'node:fs/promises'

/** Left to others, above all to the database, which may be on the same disk; more than its reserve releases at once. */
const LEFT_BYTES = 32 * 2 ** 20
const LEFT_SHARE = 0.03
const LOOK_EVERY_MS = 1000

/** Whether a disk has room for footage, as of the last second. */
export interface DiskRoom extends Disposable {
  /** @throws with the code ENOSPC if it has not. */
  check(): void
  /** Undefined if the system doesn't say. */
  readonly freeBytes: number | undefined
}

export function diskRoom(store: string): DiskRoom {
  let isFull = false
  let freeBytes: number | undefined
  const look = async () => {
    // A disk that can't be asked reports its fault when it is written to.
    const disk = await statfs(store).catch(() => undefined)
    freeBytes = disk && disk.bavail * disk.bsize
    if (disk === undefined || freeBytes === undefined) return
    isFull = freeBytes < Math.min(LEFT_BYTES, disk.blocks * disk.bsize * LEFT_SHARE)
  }
  let looking: Promise<void> | undefined = look().finally(() => (looking = undefined))
  const timer = setInterval(() => {
    looking ??= look().finally(() => (looking = undefined))
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    check() {
      if (isFull) throw Object.assign(new Error('the rest of the disk is left to the database'), { code: 'ENOSPC' })
    },
    get freeBytes() {
      return freeBytes
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
