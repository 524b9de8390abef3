import { createCipheriv } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { ID_KEY_NAME } from './migrations.ts'

/** Creates ids for everything: accounts, users, cameras, devices, zones, exports. */
export interface IdSource {
  /** A new id, unique in this installation, between 2^32 and 2^48 + 2^32. */
  next(): Promise<number>
}

const BLOCK = 512
const HALF_BITS = 24
const HALF = 2 ** HALF_BITS
/** How many numbers the permutation covers. */
export const ID_SPACE = HALF * HALF
/** Ids below this are reserved, such as reseller 255; the source never issues them. */
export const FIRST_ID = 2 ** 32
const ROUNDS = 6

/**
 * Takes blocks of 512 numbers from table `id_blocks`, so that processes never collide, and maps each through a secret
 * permutation: an id reveals neither the next one nor their count. Numbers unused when the process ends are lost.
 */
export function idSource(db: Db): IdSource {
  let permute: Promise<(counter: number) => number> | undefined
  let next = 0
  let end = 0
  let refill: Promise<void> | undefined

  const readPermutation = async (): Promise<(counter: number) => number> => {
    const row = await db.beside
      .selectFrom('installation')
      .select('value')
      .where('key', '=', ID_KEY_NAME)
      .executeTakeFirstOrThrow()
    return permutation(Buffer.from(row.value, 'hex'))
  }
  const takeBlock = async (): Promise<void> => {
    const block = await db.beside
      .updateTable('id_blocks')
      .set({ next: sql<number>`next + ${BLOCK}` })
      .where('name', '=', 'id')
      .returning('next')
      .executeTakeFirstOrThrow()
    end = block.next
    next = end - BLOCK
  }
  return {
    async next() {
      while (next === end) {
        refill ??= takeBlock().finally(() => {
          refill = undefined
        })
        await refill
      }
      const counter = next
      next += 1
      permute ??= readPermutation().catch((error: unknown) => {
        permute = undefined
        throw error
      })
      return FIRST_ID + (await permute)(counter)
    },
  }
}

/**
 * A secret one-to-one map of 0 … 2^48 - 1 onto itself: a Feistel network of two halves of 24 bits (Luby and Rackoff,
 * 1988: four rounds of pseudo-random functions already look like a random permutation). AES of one block is the round
 * function; a cipher that stays open costs a fifth of an HMAC each time.
 * @param key 16 bytes.
 */
export function permutation(key: Buffer): (counter: number) => number {
  const aes = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  const block = Buffer.alloc(16)
  const mix = (round: number, half: number): number => {
    block.writeUInt8(round, 0)
    block.writeUIntBE(half, 1, HALF_BITS / 8)
    return aes.update(block).readUIntBE(0, HALF_BITS / 8)
  }
  return (counter) => {
    if (!Number.isInteger(counter) || counter < 0 || counter >= ID_SPACE) {
      throw new RangeError(`id counter ${counter}: expected 0 to 2^48 - 1`)
    }
    let left = Math.floor(counter / HALF)
    let right = counter % HALF
    for (let round = 0; round < ROUNDS; round += 1) {
      const mixed = left ^ mix(round, right)
      left = right
      right = mixed
    }
    return left * HALF + right
  }
}
