/** What a media worker knows: keys of its own cameras, and never the key that opens everything (security.md §5). */
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { footageKek } from '../../server/media/src/recording/index.ts'
import { newDataFolder } from '../data-folders.ts'
import { freePort, type RunningProduct, startProduct } from '../running-product.ts'
import { fetchToken } from '../signed-in.ts'
import { untilAllRecord } from './demo-cameras.ts'
import { findPids } from './processes.ts'

let dataFolder: string
let product: RunningProduct

beforeAll(async () => {
  dataFolder = await newDataFolder()
  const environment = { SIGHTLINE_MEDIA_WORKERS: '2' }
  product = await startProduct({ dataFolder, port: await freePort(), environment })
  const token = await fetchToken(product.origin, 'owner@demo.example')
  await untilAllRecord({ origin: product.origin, token })
})
afterAll(async () => {
  await product[Symbol.asyncDispose]()
  await rm(dataFolder, { recursive: true, force: true })
})

interface Secrets {
  readonly installationKey: string
  readonly auditKey: string
  readonly databasePasswords: Readonly<Record<string, string>>
}

/** The secrets of the installation, as bytes and as they are written down. */
async function forbidden(): Promise<ReadonlyMap<string, Buffer>> {
  const secrets: Secrets = JSON.parse(await readFile(join(dataFolder, 'secrets.json'), 'utf8'))
  const installationKey = Buffer.from(secrets.installationKey, 'base64')
  const kek = Buffer.from(footageKek(installationKey))
  return new Map([
    ['installation key', installationKey],
    ['installation key as text', Buffer.from(secrets.installationKey)],
    ['KEK', kek],
    ['KEK as text', Buffer.from(kek.toString('base64'))],
    ['audit key as text', Buffer.from(secrets.auditKey)],
    ['password of the owner of the database', Buffer.from(secrets.databasePasswords.owner ?? '')],
  ])
}

const CHUNK = 8 * 2 ** 20

/** The names of those that are in the memory of a process. */
async function findInMemory(pid: number, wanted: ReadonlyMap<string, Buffer>): Promise<readonly string[]> {
  const maps = (await readFile(`/proc/${pid}/maps`, 'utf8')).split('\n')
  const found = new Set<string>()
  await using memory = await open(`/proc/${pid}/mem`, 'r')
  const chunk = Buffer.alloc(CHUNK)
  for (const line of maps) {
    const [, from = '', to = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
    const end = Number.parseInt(to, 16)
    // Chunks overlap, so that none is cut in two.
    for (let at = Number.parseInt(from, 16); at < end; at += CHUNK - 256) {
      const length = Math.min(CHUNK, end - at)
      const read = await memory.read(chunk, 0, length, at).catch(() => ({ bytesRead: 0 }))
      const bytes = chunk.subarray(0, read.bytesRead)
      for (const [name, secret] of wanted) if (bytes.includes(secret)) found.add(name)
    }
  }
  return [...found]
}

test('no media worker has the installation’s key or the KEK in its environment, arguments or memory', async () => {
  const wanted = await forbidden()
  const workers = await findPids(product, 'media worker')
  expect(workers).toHaveLength(2)
  for (const pid of workers) {
    for (const part of ['environ', 'cmdline']) {
      const bytes = await readFile(`/proc/${pid}/${part}`)
      for (const [name, secret] of wanted) expect(bytes.includes(secret), `${name} in ${part}`).toBe(false)
    }
    expect(await findInMemory(pid, wanted)).toEqual([])
  }
  // The search finds what is there.
  const others = (await product.processes()).filter((pid) => !workers.includes(pid))
  const inOthers = await Promise.all(others.map((pid) => findInMemory(pid, wanted).catch(() => [])))
  expect(inOthers.flat()).toEqual(expect.arrayContaining(['installation key', 'KEK']))
})
