import { forkSimulator } from '@sightline/camera-simulator/launch'
import { testDatabase } from '@sightline/platform/db-testing'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { silentLogger } from '@sightline/platform/log'
import { expect, test } from 'vitest'
import { startSimulatedCameras } from './simulated-cameras.ts'

test('a demonstration whose cameras were removed starts, and its simulator ends', async () => {
  await using database = await testDatabase()
  const prepared = forkSimulator()
  const ended = new Promise((resolve) => prepared.once('exit', resolve))
  const encryption = envelopeEncryption(Buffer.alloc(32, 7))
  const { signal } = new AbortController()
  await using _ = await startSimulatedCameras({
    db: database.db('owner'),
    encryption,
    log: silentLogger,
    signal,
    prepared,
  })
  await ended
  expect(prepared.signalCode).toBe('SIGKILL')
})
