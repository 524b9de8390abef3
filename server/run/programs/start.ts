import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * What `npm start` runs. Types stripped and code compiled once are kept beside the packages, which makes every later start
 * faster; where that folder cannot be written, as in a read-only installation, each start does it anew. The program is
 * imported afterwards, because imports that stand first would be loaded without it.
 */
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/sightline/compiled'))
await import('./all-in-one.ts')
