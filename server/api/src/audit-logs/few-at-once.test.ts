import { ok } from '@sightline/platform/result'
import { expect, test } from 'vitest'
import { fewAtOnce } from './few-at-once.ts'

test('an account that exports over and over leaves the places of others free', async () => {
  const oneOfFew = fewAtOnce({ most: 4, doing: 'exporting' })
  const done = Promise.withResolvers<void>()
  const slow = async () => {
    await done.promise
    return ok('file')
  }
  const first = oneOfFew(1, slow)
  const more = await Promise.all([oneOfFew(1, slow), oneOfFew(1, slow)])
  expect(more).toMatchObject([{ failure: { error: 'overloaded' } }, { failure: { error: 'overloaded' } }])
  expect(await oneOfFew(2, async () => ok('file'))).toEqual(ok('file'))
  done.resolve()
  expect(await first).toEqual(ok('file'))
  expect(await oneOfFew(1, async () => ok('file'))).toEqual(ok('file'))
})

test('of all accounts there are four at a time', async () => {
  const oneOfFew = fewAtOnce({ most: 4, doing: 'exporting' })
  const done = Promise.withResolvers<void>()
  const slow = async () => {
    await done.promise
    return ok('file')
  }
  const four = [1, 2, 3, 4].map((accountId) => oneOfFew(accountId, slow))
  expect(await oneOfFew(5, slow)).toMatchObject({ failure: { error: 'overloaded', retryAfter: 5 } })
  done.resolve()
  expect(await Promise.all(four)).toHaveLength(4)
})
