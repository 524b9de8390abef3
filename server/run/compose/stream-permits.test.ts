import { expect, test } from 'vitest'
import { StreamPermits } from './stream-permits.ts'

const ann = { person: 'member 1', accountId: 7 }
const bob = { person: 'member 2', accountId: 7 }

test('a person’s streams are counted over all workers', () => {
  const permits = new StreamPermits({ perPerson: 2, perAccount: undefined })
  expect([permits.take('media-1', 1, ann), permits.take('north-1', 1, ann)]).toEqual([true, true])
  expect([permits.take('north-2', 1, ann), permits.take('north-2', 2, bob)]).toEqual([false, true])
  permits.release('media-1', 1)
  expect(permits.take('north-2', 3, ann)).toBe(true)
})

test('an account’s streams are counted over all workers and people', () => {
  const permits = new StreamPermits({ perPerson: undefined, perAccount: 2 })
  expect([permits.take('media-1', 1, ann), permits.take('north-1', 1, bob)]).toEqual([true, true])
  expect(permits.take('media-1', 2, bob)).toBe(false)
})

test('streams of a worker that is gone don’t count, and giving back twice does no harm', () => {
  const permits = new StreamPermits({ perPerson: 1, perAccount: undefined })
  expect(permits.take('north-1', 1, ann)).toBe(true)
  permits.releaseAll('north-1')
  expect(permits.take('media-1', 1, ann)).toBe(true)
  permits.release('north-1', 1)
  expect(permits.take('media-1', 2, ann)).toBe(false)
  permits.release('media-1', 1)
  permits.release('media-1', 1)
  expect([permits.take('media-1', 3, ann), permits.take('media-1', 4, ann)]).toEqual([true, false])
})
