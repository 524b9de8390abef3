import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readAhead } from './read-ahead.ts'

/** Chunks of these sizes; how many were asked for so far, and whether reading has ended. */
function source(sizes: readonly number[], failsAt = Number.POSITIVE_INFINITY) {
  const seen = { read: 0, isEnded: false }
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (const [index, size] of sizes.entries()) {
        seen.read++
        if (index === failsAt) throw new Error(`chunk ${index} is away`)
        await turn()
        yield new Uint8Array(size).fill(index)
      }
    } finally {
      seen.isEnded = true
    }
  }
  return { seen, chunks: chunks() }
}

const untilQuiet = async () => {
  for (let turns = 0; turns < 20; turns++) await turn()
}

test('the next two chunks are read while the caller has one, in order and no more', async () => {
  const { seen, chunks } = source([1, 1, 1, 1, 1])
  const ahead = readAhead(chunks, { count: 2, largest: 1 })
  const first = await ahead.next()
  await untilQuiet()
  expect([(first.value as Uint8Array)[0], seen.read]).toEqual([0, 3])
  const rest: number[] = []
  for await (const [number] of ahead) rest.push(number ?? -1)
  expect([rest, seen]).toEqual([[1, 2, 3, 4], { read: 5, isEnded: true }])
})

test('behind a large chunk nothing is read until the caller has sent it', async () => {
  const { seen, chunks } = source([9, 1])
  const ahead = readAhead(chunks, { count: 2, largest: 8 })
  await ahead.next()
  await untilQuiet()
  expect(seen.read).toBe(1)
  expect(((await ahead.next()).value as Uint8Array).length).toBe(1)
})

test('an error comes after the chunks before it', async () => {
  const { chunks } = source([1, 1, 1], 2)
  const got: number[] = []
  const reading = (async () => {
    for await (const [number] of readAhead(chunks, { count: 2, largest: 1 })) got.push(number ?? -1)
  })()
  await expect(reading).rejects.toThrow('chunk 2 is away')
  expect(got).toEqual([0, 1])
})

test('a caller who stops ends the reading, after what is being read', async () => {
  const { seen, chunks } = source([1, 1, 1, 1, 1])
  for await (const _ of readAhead(chunks, { count: 2, largest: 1 })) break
  expect(seen).toEqual({ read: 3, isEnded: true })
})
