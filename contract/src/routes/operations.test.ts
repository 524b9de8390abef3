import { expect, test } from 'vitest'
import { errorCatalogue } from '../errors/index.ts'
import { customMessages } from '../errors/messages.ts'
import { allRoutes } from './index.ts'

const INTERNAL = 1
/** Codes that the reply of a call carries, not its failure: how an addition or a job ended. */
const inReplies: Readonly<Record<number, readonly number[]>> = {
  59: [3, 5, 8, 13, 14],
  241: [3, 5, 8, 13, 14],
  250: [13],
  259: [13],
}
/** Texts that no call needs: a full account is code 6 there, and channels are listed while their device is offline. */
const unused: Readonly<Record<number, readonly number[]>> = { 20: [7], 243: [14] }
/** Operations about cameras and devices (specification §8), and those that it lists without texts. */
const operations = [20, 32, 45, 47, 56, 59, 131, ...Array.from({ length: 27 }, (_, index) => 235 + index)].filter(
  (operation) => customMessages[operation] !== undefined,
)

test.each(operations)('each code with a text of operation %i can reach a client', (operation) => {
  const calls = allRoutes.filter((route) => 'operation' in route && route.operation === operation)
  expect(calls.length).toBeGreaterThan(0)
  const codes = new Set<number>([INTERNAL, ...(inReplies[operation] ?? []), ...(unused[operation] ?? [])])
  for (const { errors } of calls) for (const error of errors) codes.add(errorCatalogue[error].code)
  const written = Object.keys(customMessages[operation] ?? {}).map(Number)
  expect(written.filter((code) => !codes.has(code))).toEqual([])
})
