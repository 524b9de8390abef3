import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WHEP_SESSION_PATH } from '@sightline/contract/streams'
import { filePaths } from './footage-files.ts'
import { streamPaths } from './stream-paths.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Where addresses are defined and answered; `/stream/` is what the edge sends to the media plane. */
const SOURCES = ['contract/src/**/*.ts', 'server/{edge,api,media}/src/**/*.ts']

/** The address of an open stream, where a DELETE ends it. */
const WITHOUT_PICTURES: readonly string[] = [WHEP_SESSION_PATH]

/** Every address of pictures or sound outside the API, and every folder of them, that the code has. */
export function listStreamAddresses(): readonly string[] {
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter(
    (file) => !/\.test\.ts$/.test(file),
  )
  const texts = files.map((file) => readFileSync(join(ROOT, file), 'utf8'))
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(/['"`](\/stream\/[\w/-]*)/g)].map(([, path = '']) => path))),
  ]
}

/** Those of the addresses that no caller of the machine test tries. */
export function listUntried(addresses: readonly string[]): readonly string[] {
  const paths = [...streamPaths(Date.now()).map(({ path }) => path), ...filePaths]
  const tried = paths.map((path) => path.split('?', 1)[0] ?? '')
  return addresses.filter(
    (address) =>
      !WITHOUT_PICTURES.includes(address) &&
      !tried.some((path) => (address.endsWith('/') ? path.startsWith(address) : path === address)),
  )
}
