import { expect, test } from 'vitest'
import { readMutatedReplies } from './onvif-replies.ts'

const RUNS = 1_000_000
const BATCH = 50_000

test('a million mutated replies are read without a fault, a hang, or memory that grows', { timeout: 3_600_000 }, () => {
  readMutatedReplies(BATCH, 1)
  const before = process.memoryUsage.rss()
  for (let batch = 1; batch < RUNS / BATCH; batch++) readMutatedReplies(BATCH, batch + 1)
  expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 1024 * 1024)
})
