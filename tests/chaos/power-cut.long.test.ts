/** The power of the disk is cut while the product runs: what was not flushed is gone, in order or not (R2). */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDataFolder } from '../data-folders.ts'
import { describeKills, type EndOfEverything } from './everything-killed.ts'
import { missingForVolatileDisk, volatileDisk } from './volatile-disk.ts'

const CUTS = Number(process.env.SIGHTLINE_POWER_CUTS ?? 20)
const DISK_MIB = 4096
const SEED = 7

const complaints: string[] = []

/** Half of what was not flushed reaches the disk anyway, in any order. */
async function powerIsCut(): Promise<EndOfEverything> {
  const root = await newDataFolder()
  const disk = await volatileDisk(root, { megabytes: DISK_MIB, kept: 0.5, seed: SEED })
  let cuts = 0
  return {
    dataFolder: join(disk.folder, 'data'),
    promisedSeconds: 2,
    isImmediate: false,
    async end(product, mark) {
      disk.cut()
      mark()
      const cutAt = Date.now()
      await product.killAll()
      return cutAt
    },
    async repair() {
      cuts += 1
      complaints.push(await disk.powerOn(SEED + cuts))
    },
    [Symbol.asyncDispose]: () => disk[Symbol.asyncDispose](),
  }
}

const missing = missingForVolatileDisk()

if (missing === undefined) {
  describeKills({ kills: CUTS, seed: SEED, end: powerIsCut })

  test('the file system is whole after each cut', () => {
    expect(complaints).toEqual(Array.from({ length: CUTS }, () => ''))
  })
} else {
  test('the power was not cut', ({ skip }) => skip(missing))
}
