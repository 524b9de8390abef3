import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * sockaddr_un.sun_path has 108 bytes including the final zero on Linux, 104 on macOS; PostgreSQL chooses the file name.
 */
const SOCKET = '.s.PGSQL.5432'
const LONGEST_FOLDER = (process.platform === 'darwin' ? 103 : 107) - `/${SOCKET}`.length

/** A folder of mode 0700 with a path short enough for a socket. */
export interface SocketFolder {
  readonly path: string
  /** Creates it again if something has cleaned it away. */
  ensure(): Promise<void>
  remove(): Promise<void>
}

/**
 * In PostgreSQL's folder, or in the system's temporary folder if that path is too long for a socket. A temporary one
 * left by a killed process is removed.
 *
 * @param owner the user that runs PostgreSQL; only root can change a folder's owner.
 */
export async function makeSocketFolder(folder: string, owner: number): Promise<SocketFolder> {
  const note = join(folder, 'socket-folder')
  const previous = await readFile(note, 'utf8').catch(() => '')
  if (previous !== '') await rm(previous, { recursive: true, force: true })
  const inside = join(folder, 'run')
  await rm(inside, { recursive: true, force: true })
  const isShort = Buffer.byteLength(inside) <= LONGEST_FOLDER
  const path = isShort ? inside : await mkdtemp(join(shortTemporaryFolder(), 'sightline-'))
  if (!isShort) await writeFile(note, path, { mode: 0o600 })
  const ensure = async () => {
    await mkdir(path, { recursive: true, mode: 0o700 })
    if (process.getuid?.() === 0) await chown(path, owner, owner)
  }
  await ensure()
  return {
    path,
    ensure,
    async remove() {
      await rm(path, { recursive: true, force: true })
      await rm(note, { force: true })
    },
  }
}

/** The socket folder of another process's server in that folder, or undefined. */
export async function findSocketFolder(folder: string): Promise<string | undefined> {
  const noted = await readFile(join(folder, 'socket-folder'), 'utf8').catch(() => '')
  const path = noted === '' ? join(folder, 'run') : noted
  return existsSync(join(path, SOCKET)) ? path : undefined
}

function shortTemporaryFolder(): string {
  const system = tmpdir()
  return Buffer.byteLength(join(system, 'sightline-XXXXXX')) <= LONGEST_FOLDER ? system : '/tmp'
}
