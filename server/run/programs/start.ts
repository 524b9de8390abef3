import { enableCompileCache } from 'node:module'
import { basename, dirname, join } from 'node:path'

const [, program = import.meta.filename] = process.argv
const isSource = basename(program) === 'start.ts'

/**
 * The entry point of `npm start`; uses the bundle if there is one. Caches stripped types and compiled code, which
 * speeds up later starts: beside the packages, or for a bundle beside itself, so that they are removed together. If
 * that folder is read-only, each start compiles again. The program is imported dynamically, because static imports
 * would load before the cache is on.
 */
enableCompileCache(
  isSource
    ? join(import.meta.dirname, '../../../node_modules/.cache/sightline/compiled')
    : join(dirname(program), 'compiled'),
)
await import('./all-in-one.ts')
