import { spawnSync } from 'node:child_process'
import { lchown, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartError } from '../../startup/index.ts'
import type { Binaries } from './binaries.ts'

/** PostgreSQL refuses to run as root. Describes how to run it instead, and the owner of its files. */
export interface Launcher {
  readonly kind: 'direct' | 'user-namespace' | 'nobody'
  /** Words before the program. */
  readonly prefix: readonly string[]
  /** User and group of the spawned process; undefined keeps ours. */
  readonly runAs: number | undefined
  /** Owner of all files PostgreSQL reads and writes, as seen from outside. */
  readonly fileOwner: number
}

const NOBODY = 65_534

/** PostgreSQL gets none of our environment. */
export const environment = (binaries: Binaries): Record<string, string> => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: binaries.libraryPath,
})

/**
 * In its own user namespace PostgreSQL sees an unprivileged user while the kernel still sees ours, so files keep their
 * owner and private folders stay readable. Needed for root, and for users without a name.
 */
const userNamespace = (uid: number): Launcher => ({
  kind: 'user-namespace',
  prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'],
  runAs: undefined,
  fileOwner: uid,
})

/** The ways to try, best first, for a process of this user. */
export function listLaunchers(uid: number): readonly Launcher[] {
  const direct: Launcher = { kind: 'direct', prefix: [], runAs: undefined, fileOwner: uid }
  const nobody: Launcher = { kind: 'nobody', prefix: [], runAs: NOBODY, fileOwner: NOBODY }
  return uid === 0 ? [userNamespace(uid), nobody] : [direct, userNamespace(uid)]
}

/**
 * The first launcher that works here, after changing the files' owner.
 *
 * @param folder PostgreSQL's own folder; the data folder is its parent.
 * @throws StartError if none works.
 */
export async function chooseLauncher(
  launchers: readonly Launcher[],
  binaries: Binaries,
  folder: string,
): Promise<Launcher> {
  const failures: string[] = []
  for (const launcher of launchers) {
    const failure = await tryLauncher(launcher, binaries, folder)
    if (failure === undefined) return launcher
    failures.push(`${launcher.kind}: ${failure}`)
  }
  throw new StartError(
    `The built-in PostgreSQL can't run as this user in ${folder} (${failures.join('; ')}). Start Sightline as an ordinary user who owns its folders, or set DATABASE_URL to your own PostgreSQL.`,
  )
}

async function tryLauncher(launcher: Launcher, binaries: Binaries, folder: string): Promise<string | undefined> {
  if (process.getuid?.() === 0) {
    const refusal = await handOver(folder, launcher.fileOwner)
    if (refusal !== undefined) return refusal
  }
  // `id -un` fails for a user without a name, and so would initdb.
  const check = 'id -un >/dev/null && test -w "$1" && "$2" --version >/dev/null'
  const [program = '/bin/sh', ...words] = [...launcher.prefix, '/bin/sh', '-c', check, 'sh', folder, binaries.postgres]
  const answer = spawnSync(program, words, {
    uid: launcher.runAs,
    gid: launcher.runAs,
    cwd: '/',
    env: environment(binaries),
    encoding: 'utf8',
  })
  if (answer.error) return answer.error.message
  return answer.status === 0 ? undefined : firstLine(answer.stderr) || 'no access to the folder'
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? ''

/**
 * Gives PostgreSQL's folder, and the data folder itself so that it can be entered, to that user. Folders of a third
 * user stay as they are: that user would otherwise lose access to their own data.
 */
async function handOver(folder: string, owner: number): Promise<string | undefined> {
  const present = (await stat(folder)).uid
  if (present !== 0 && present !== NOBODY) return `the folder belongs to user ${present}`
  const dataFolder = dirname(folder)
  const above = (await stat(dataFolder)).uid
  if (above !== owner && (above === 0 || above === NOBODY)) await lchown(dataFolder, owner, owner)
  if (present !== owner) await changeOwner(folder, owner)
  return undefined
}

async function changeOwner(path: string, owner: number): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true })
  for (const entry of entries) {
    const inside = join(path, entry.name)
    if (entry.isDirectory()) await changeOwner(inside, owner)
    else await lchown(inside, owner, owner)
  }
  await lchown(path, owner, owner)
}
