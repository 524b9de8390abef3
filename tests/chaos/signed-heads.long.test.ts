/** What an installation records is signed: proven with the keys that it published before, by the command alone. */
import { spawnSync } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listStreams, readCatalogue, type StreamKey, streamFolder } from '../../server/media/src/recording/index.ts'
import { newDataFolder } from '../data-folders.ts'
import { freePort, type RunningProduct, repository, startProduct } from '../running-product.ts'
import { fetchToken } from '../signed-in.ts'
import { untilAllRecord } from './demo-cameras.ts'
import { openProductDatabase } from './product-database.ts'

let dataFolder: string
let store: string
let publicKeys: string
let port: number

beforeAll(async () => {
  dataFolder = await newDataFolder()
  store = join(dataFolder, 'footage')
  publicKeys = join(dataFolder, 'noted-keys.json')
  port = await freePort()
})
afterAll(() => rm(dataFolder, { recursive: true, force: true }))

async function start(): Promise<RunningProduct> {
  const product = await startProduct({ dataFolder, port, environment: { SIGHTLINE_MEDIA_WORKERS: '2' } })
  await untilAllRecord({ origin: product.origin, token: await fetchToken(product.origin, 'owner@demo.example') })
  return product
}

/** Those with finished footage: a stream that has just been opened has none. */
async function recordedStreams(): Promise<readonly StreamKey[]> {
  const streams = await listStreams(store)
  const counts = await Promise.all(streams.map(async (stream) => (await readCatalogue(store, stream, 0)).length))
  const recorded = streams.filter((_, index) => counts[index] !== 0)
  expect(recorded.length).toBeGreaterThan(0)
  return recorded
}

function verify(...words: readonly string[]) {
  const program = join(repository, 'server/run/programs/footage.ts')
  const env = { PATH: process.env.PATH, SIGHTLINE_DATA_DIR: dataFolder }
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'verify', ...words], {
    env,
    encoding: 'utf8',
  })
  return { status, text: `${stdout}${stderr}` }
}

test('a stop leaves every list of footage signed, beside it and in the database', async () => {
  const product = await start()
  const published = await fetch(`${product.origin}/.well-known/footage-keys.json`)
  expect(published.headers.get('content-type')).toContain('application/json')
  await writeFile(publicKeys, await published.text())
  expect(await product.stop()).toBe(0)
  const { status, text } = verify('--public-keys', publicKeys)
  expect(text).toContain('All footage is as it was written')
  expect(text.match(/: proven as signed at/g)).toHaveLength((await recordedStreams()).length)
  expect(text).not.toContain('not signed;')
  expect(text).toContain(publicKeys)
  expect(status).toBe(0)
  // Without noted keys it says which ones it trusted.
  expect(verify().text).toContain('the keys in secrets.json of this data folder')
})

test('after a kill the lists are signed again, in the chain of what was signed before', async () => {
  const signed = await recordedStreams()
  const product = await start()
  await product.killAll()
  const again = await start()
  await using db = openProductDatabase(dataFolder)
  const rows = await db.plain.selectFrom('footage_heads').select('line').execute()
  expect(rows.length).toBeGreaterThanOrEqual(signed.length)
  expect(await again.stop()).toBe(0)
  expect(verify('--public-keys', publicKeys)).toMatchObject({ status: 0 })
})

test('a list that is cut off is found by the command, which names the place', async () => {
  const [stream] = await recordedStreams()
  const folder = streamFolder(store, stream ?? expect.fail('no footage'))
  const days = (await readdir(folder)).filter((name) => /^\d{4}-/.test(name)).toSorted()
  const hours = (await readdir(join(folder, days.at(-1) ?? ''))).filter((name) => /^\d\d$/.test(name)).toSorted()
  const manifest = join(folder, days.at(-1) ?? '', hours.at(-1) ?? '', 'manifest.jsonl')
  const lines = (await readFile(manifest, 'utf8')).trimEnd().split('\n')
  await writeFile(
    manifest,
    lines
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .join(''),
  )
  const { status, text } = verify('--public-keys', publicKeys)
  expect(status).toBe(1)
  expect(text).toContain(`${manifest}, line ${lines.length - 1}: cut off after this line`)
})
