import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newDataFolder } from '../data-folders.ts'
import { startS3Server } from '../fixtures/s3-server.ts'
import { startProduct } from '../running-product.ts'
import { fetchToken } from '../signed-in.ts'
import { type ApiCaller, listCameras, loadTimeline, until, untilAllRecord } from './demo-cameras.ts'
import { segmentsOfAllStreams } from './footage-on-disk.ts'
import { smallDisk } from './small-disk.ts'
import { requestTicket, watch } from './viewer.ts'

const DISK_MEGABYTES = 3000
const LEFT_MEGABYTES = 180
const MINUTE_MS = 60_000

async function gapsOf(caller: ApiCaller, from: number, till: number) {
  const cameras = await listCameras(caller)
  const timelines = await Promise.all(cameras.map(({ cameraId }) => loadTimeline(caller, { cameraId, from, till })))
  return timelines.flatMap(({ gaps }) => gaps)
}

/** S3 is the store: a full disk loses nothing, footage plays from the bucket, and S3 may be away (R6, R9). */
export function describeS3Store({ awayMs }: { readonly awayMs: number }): void {
  test(`with S3 as the store, and S3 away for ${awayMs} ms, a full disk costs no footage`, async ({
    annotate,
    skip,
  }) => {
    await using s3 = await startS3Server()
    const dataFolder = await newDataFolder()
    using disk = smallDisk(dataFolder, DISK_MEGABYTES)
    if (disk === undefined) return skip('this user may not mount a small disk')
    const { endpoint, bucket, region, accessKey, secretKey } = s3.settings
    const environment = {
      SIGHTLINE_S3_BUCKET: `${endpoint}/${bucket}`,
      SIGHTLINE_S3_REGION: region,
      SIGHTLINE_S3_ACCESS_KEY: accessKey,
      SIGHTLINE_S3_SECRET_KEY: secretKey,
      SIGHTLINE_S3_USE: 'store',
    }
    await using product = await startProduct({ dataFolder, environment })
    const caller = { origin: product.origin, token: await fetchToken(product.origin, 'owner@demo.example') }
    await untilAllRecord(caller)
    const startAt = Date.now() + 1000
    const copied = () => [...s3.objects.keys()].filter((name) => name.endsWith('.seg'))

    await sleep(MINUTE_MS)
    s3.behavior = { fails: 503 }
    const awayAt = Date.now()
    await sleep(awayMs)
    await untilAllRecord(caller)
    const before = copied().length
    s3.behavior = {}
    await expect.poll(() => copied().length, { timeout: 3 * MINUTE_MS }).toBeGreaterThan(before)
    // What was recorded before S3 came back is there.
    const store = join(dataFolder, 'footage')
    const names = async () => (await segmentsOfAllStreams(store, awayAt + awayMs)).map(({ path }) => path)
    const old = (await names()).map((path) => path.slice(store.length + 1))
    const isCopied = () => old.every((name) => s3.objects.has(name))
    await expect.poll(isCopied, { timeout: 5 * MINUTE_MS, interval: 1000 }).toBe(true)
    expect(await gapsOf(caller, startAt, Date.now() - 5000)).toEqual([])

    await disk.fillBut(disk.filler, LEFT_MEGABYTES)
    const first = old.find((name) => name.includes('/main/')) ?? ''
    const isOnDisk = async () => (await names()).includes(join(store, first))
    await expect.poll(isOnDisk, { timeout: 3 * MINUTE_MS, interval: 1000 }).toBe(false)
    await annotate(`${old.length} segments of ${awayMs} ms; ${(await names()).length} of them are still on the disk`)
    // The timeline knows nothing of it, and the bucket has it.
    expect(await gapsOf(caller, startAt, Date.now() - 5000)).toEqual([])
    expect(s3.objects.has(first)).toBe(true)

    const cameraId = Number(first.split('/')[1])
    s3.requests.length = 0
    const ticket = await requestTicket(caller.origin, caller.token, { cameraId, use: 'playback' })
    await using viewer = watch({ origin: caller.origin, cameraId, from: startAt, credential: { ticket } })
    await until('pictures play from S3', async () => viewer.pictures.length > 100)
    expect(s3.requests.filter((request) => request === `GET ${first}`).length).toBeGreaterThan(0)
    await untilAllRecord(caller)
  })
}
