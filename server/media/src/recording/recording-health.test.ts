import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { storeFault } from './recording-health.ts'

test('the operator sees what is wrong with the store, without a path, from the root cause', async () => {
  const cause = await readdir('/no/such/folder').catch((error: unknown) => error)
  expect(storeFault(cause)).toBe('the footage folder is missing')
  expect(storeFault(new Error('recordings in /secret cannot be listed', { cause }))).toBe(
    'the footage folder is missing',
  )
})

test('an unknown error, or one that is its own cause, gets a general message', () => {
  const circular = new Error('a')
  circular.cause = circular
  for (const cause of [circular, new Error('only 3 of 5 bytes'), 'text', undefined]) {
    expect(storeFault(cause)).toBe('could not write footage')
  }
})
