import { enableCompileCache } from 'node:module'
import { basename, dirname, join } from 'node:path'

const [, program = import.meta.filename] = process.argv
const isSource = basename(program) === 'start.ts'

/**
 * What `npm start` runs, from its bundle where there is one. Types stripped and code compiled once are kept, which makes every
 * later start faster: beside the packages, and for a bundle beside itself, so that they go with it. Where that folder cannot be
 * written, as in a read-only installation, each start does it anew. The program is imported afterwards, because imports that
 * stand first would be loaded without it.
 */
enableCompileCache(
  isSource
    ? join(import.meta.dirname, '../../../node_modules/.cache/sightline/compiled')
    : join(dirname(program), 'compiled'),
)
await import('./all-in-one.ts')
