import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './install.mjs'

/**
 * Changes with any of these files, and with any file in these folders that `isSource`. Paths are from the checkout's root.
 * @param {readonly string[]} paths
 * @param {(path: string) => boolean} isSource
 */
export function hashOfSources(paths, isSource) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap((path) => sourcesIn(path, isSource))) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

const SKIPPED = new Set(['node_modules', 'dist'])

function sourcesIn(path, isSource) {
  if (path.includes('.')) return [path]
  return readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inside = join(path, entry.name)
      if (entry.isDirectory()) return sourcesIn(inside, isSource)
      return isSource(inside) ? [inside] : []
    })
}
