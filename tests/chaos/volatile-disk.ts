import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const PLUGIN = fileURLToPath(new URL('volatile-disk.py', import.meta.url))
const PROGRAMS = ['nbdkit', 'nbdfuse', 'losetup', 'mkfs.ext4', 'e2fsck']
const PATIENCE_MS = 10_000

/** Why no such disk can be had here; undefined if it can. */
export function missingForVolatileDisk(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root, to mount a disk'
  if (!existsSync('/dev/fuse') || !existsSync('/dev/loop-control')) return 'needs FUSE and loop devices'
  const missing = PROGRAMS.filter((program) => spawnSync('which', [program]).status !== 0)
  return missing.length === 0 ? undefined : `needs ${missing.join(', ')} (Debian: nbdkit-plugin-python, nbdfuse, fuse3)`
}

/** An ext4 disk that loses what was not flushed when its power is cut. */
export interface VolatileDisk extends AsyncDisposable {
  /** Where it is mounted. */
  readonly folder: string
  /** From now on nothing reaches the disk, and writes fail. */
  cut(): void
  /** After a cut: what a start of the machine does. Returns what the check of the file system says; empty if clean. */
  powerOn(seed: number): Promise<string>
}

interface Attached {
  readonly server: ChildProcess
  readonly bridge: ChildProcess
  readonly file: string
  readonly loop: string
}

/** `kept` of what was not flushed, from 0 to 1, reaches the disk all the same, in any order. */
export async function volatileDisk(
  root: string,
  { megabytes, kept, seed }: { readonly megabytes: number; readonly kept: number; readonly seed: number },
): Promise<VolatileDisk> {
  mkdirSync(root, { recursive: true })
  const image = join(root, 'image')
  const folder = join(root, 'disk')
  const cutFile = join(root, 'cut')
  mkdirSync(folder)
  await writeFile(image, '')
  await truncate(image, megabytes * 2 ** 20)
  run('mkfs.ext4', ['-q', '-F', image])
  const attach = async (withSeed: number): Promise<Attached> => {
    const socket = join(root, `socket-${withSeed}`)
    const given = { image, cut: cutFile, kept, seed: withSeed }
    const words = Object.entries(given).map(([name, value]) => `${name}=${value}`)
    const server = spawn('nbdkit', [
      '-f',
      '-U',
      socket,
      '--filter=blocksize',
      'python',
      PLUGIN,
      ...words,
      'minblock=4096',
    ])
    await until('nbdkit listens', () => existsSync(socket))
    const file = join(root, `device-${withSeed}`)
    writeFileSync(file, '')
    // More than one connection makes nbdfuse 1.14 fail at a flush.
    const bridge = spawn('nbdfuse', ['-C', '1', file, '--unix', socket])
    await until('nbdfuse serves the disk', () => spawnSync('stat', ['-c', '%s', file]).stdout.toString() !== '0\n')
    const loop = run('losetup', ['--show', '-f', file]).trim()
    run('mount', ['-o', 'noatime,errors=remount-ro', loop, folder])
    return { server, bridge, file, loop }
  }
  const detach = async ({ server, bridge, file, loop }: Attached): Promise<void> => {
    // First what answers: otherwise the unmounting waits for every write that still fails.
    await ended(bridge)
    await ended(server)
    spawnSync('umount', ['-l', folder])
    spawnSync('losetup', ['-d', loop])
    spawnSync('umount', ['-l', file])
  }
  let attached = await attach(seed)
  return {
    folder,
    cut: () => writeFileSync(cutFile, ''),
    async powerOn(nextSeed) {
      await detach(attached)
      await rm(cutFile, { force: true })
      attached = await attach(nextSeed)
      // Mounted once, the journal is replayed; then everything has to fit together.
      run('umount', [folder])
      const check = spawnSync('e2fsck', ['-f', '-n', attached.loop], { encoding: 'utf8' })
      run('mount', ['-o', 'noatime', attached.loop, folder])
      return check.status === 0 ? '' : check.stdout
    },
    async [Symbol.asyncDispose]() {
      await detach(attached)
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** Ends a process that was started here. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((done) => child.once('exit', done))
  child.kill('SIGKILL')
  await exit
}

function run(program: string, words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`)
  return stdout
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`not within ${PATIENCE_MS} ms: ${what}`)
    await sleep(20)
  }
}
