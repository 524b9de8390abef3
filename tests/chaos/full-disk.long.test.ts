/** Something else fills the disk that holds everything: people can still sign in (R6). */
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDataFolder } from '../data-folders.ts'
import { freePort, startProduct } from '../running-product.ts'
import { fetchToken } from '../signed-in.ts'
import { until, untilAllRecord } from './demo-cameras.ts'
import { smallDisk } from './small-disk.ts'

const DISK_MEGABYTES = 640
const SIGN_INS = 40
const RESERVED_BYTES = 40 * 1024 * 1024

test('a disk filled by something else leaves room for the database: people sign in, and recording resumes afterwards', async ({
  annotate,
  skip,
}) => {
  const dataFolder = await newDataFolder()
  using disk = smallDisk(dataFolder, DISK_MEGABYTES)
  if (disk === undefined) return skip('this user may not mount a small disk')
  const metricsPort = await freePort()
  const environment = { SIGHTLINE_METRICS_PORT: String(metricsPort) }
  const problems = async (): Promise<readonly string[]> =>
    (await fetch(`http://127.0.0.1:${metricsPort}/problems`)).json()
  await using product = await startProduct({ dataFolder, environment })
  const signIn = () => fetchToken(product.origin, 'owner@demo.example')
  const caller = { origin: product.origin, token: await signIn() }
  await untilAllRecord(caller)
  // As on a disk that fills slowly: there is a reserve by the time that it is full.
  const almost = join(dataFolder, 'almost')
  await disk.fillBut(almost, 110)
  const reserve = join(dataFolder, 'database-reserve')
  const reserved = async () => (await stat(reserve).catch(() => undefined))?.size ?? 0
  await until('there is a reserve', async () => (await reserved()) > RESERVED_BYTES)
  await disk.fill()
  await until('the problem is listed', async () => (await problems()).some((problem) => problem.includes('reserve')))
  const full = Date.now()
  for (let n = 0; n < SIGN_INS; n += 1) await signIn()
  await annotate(`${SIGN_INS} sign-ins on the full disk in ${Date.now() - full} ms`)
  expect(product.output()).not.toContain('PostgreSQL stopped unexpectedly')
  await rm(disk.filler)
  await rm(almost)
  await untilAllRecord(caller)
  await until('no problem is left', async () => (await problems()).length === 0)
})
