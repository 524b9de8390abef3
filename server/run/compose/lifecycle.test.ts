import { silentLogger } from '@sightline/platform/log'
import { expect, test } from 'vitest'
import { lifecycle } from './lifecycle.ts'

const part = (name: string, stopped: string[]) => async () => ({
  name,
  async [Symbol.asyncDispose]() {
    stopped.push(name)
  },
})

test('components stop in the reverse order of their start', async () => {
  const stopped: string[] = []
  {
    await using parts = lifecycle(silentLogger, new AbortController().signal)
    for (const name of ['database', 'api', 'edge']) await parts.start(name, part(name, stopped))
  }
  expect(stopped).toEqual(['edge', 'api', 'database'])
})

test("a component that can't start stops the earlier ones", async () => {
  const stopped: string[] = []
  const start = async () => {
    await using parts = lifecycle(silentLogger, new AbortController().signal)
    await parts.start('database', part('database', stopped))
    await parts.start('api', () => Promise.reject(new Error('no port')))
  }
  await expect(start()).rejects.toThrow('no port')
  expect(stopped).toEqual(['database'])
})

test("a component that fails or hangs while stopping doesn't block the others", async () => {
  const stopped: string[] = []
  {
    await using parts = lifecycle(silentLogger, new AbortController().signal, 100)
    await parts.start('database', part('database', stopped))
    await parts.start('hanging', async () => ({ [Symbol.asyncDispose]: () => new Promise<void>(() => undefined) }))
    await parts.start('failing', async () => ({ [Symbol.asyncDispose]: () => Promise.reject(new Error('broken')) }))
  }
  expect(stopped).toEqual(['database'])
})

test('nothing more starts after a stop was requested', async () => {
  const stopping = new AbortController()
  await using parts = lifecycle(silentLogger, stopping.signal)
  stopping.abort('asked to stop')
  await expect(parts.start('api', part('api', []))).rejects.toBe('asked to stop')
})
