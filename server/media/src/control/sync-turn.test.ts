import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { syncTurns } from './sync-turn.ts'

const never = new AbortController().signal

test('one works at a time, in order, and a failure concerns nobody else', async () => {
  const inTurn = syncTurns()
  const order: string[] = []
  const work = (name: string) => async () => {
    order.push(`${name} begins`)
    await sleep(5)
    order.push(`${name} ends`)
    if (name === 'a') throw new Error('a failed')
  }
  const first = inTurn(work('a'), never)
  const second = inTurn(work('b'), never)
  await expect(first).rejects.toThrow('a failed')
  await second
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})

test('who waits leaves at once and never works; who works is waited for', async () => {
  const inTurn = syncTurns()
  const gate = Promise.withResolvers<void>()
  const [working, waiting] = [new AbortController(), new AbortController()]
  const order: string[] = []
  const first = inTurn(() => gate.promise, working.signal).then(() => order.push('first is over'))
  const second = inTurn(async () => void order.push('second works'), waiting.signal)
  waiting.abort()
  await second
  working.abort()
  await sleep(5)
  expect(order).toEqual([])
  gate.resolve()
  await first
  await inTurn(async () => undefined, never)
  expect(order).toEqual(['first is over'])
})
