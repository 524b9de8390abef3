import { silentLogger } from '@sightline/platform/log'
import { expect, test } from 'vitest'
import { lifecycle } from './lifecycle.ts'

const part = (name: string, stopped: string[]) => async () => ({
  name,
  async [Symbol.asyncDispose]() {
    stopped.push(name)
  },
})

test('parts are stopped in the opposite order of their start', async () => {
  const stopped: string[] = []
  {
    await using parts = lifecycle(silentLogger, new AbortController().signal)
    for (const name of ['database', 'api', 'edge']) await parts.start(name, part(name, stopped))
  }
  expect(stopped).toEqual(['edge', 'api', 'database'])
})

test('a part that cannot start stops those before it', async () => {
  const stopped: string[] = []
  const start = async () => {
    await using parts = lifecycle(silentLogger, new AbortController().signal)
    await parts.start('database', part('database', stopped))
    await parts.start('api', () => Promise.reject(new Error('no port')))
  }
  await expect(start()).rejects.toThrow('no port')
  expect(stopped).toEqual(['database'])
})

test('a part that fails or hangs while stopping does not keep the others from it', async () => {
  const stopped: string[] = []
  {
    await using parts = lifecycle(silentLogger, new AbortController().signal, 100)
    await parts.start('database', part('database', stopped))
    await parts.start('hanging', async () => ({ [Symbol.asyncDispose]: () => new Promise<void>(() => undefined) }))
    await parts.start('failing', async () => ({ [Symbol.asyncDispose]: () => Promise.reject(new Error('broken')) }))
  }
  expect(stopped).toEqual(['database'])
})

test('nothing more is started once somebody asked to stop', async () => {
  const stopping = new AbortController()
  await using parts = lifecycle(silentLogger, stopping.signal)
  stopping.abort('asked to stop')
  await expect(parts.start('api', part('api', []))).rejects.toBe('asked to stop')
})
