import { createLogger, silentLogger } from '@sightline/platform/log'
import { afterAll, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { startS3Server } from '../../../../tests/fixtures/s3-server.ts'
import { CAMERA, filesBelow, removeTemporaryFolders, stage, TEN_THIRTY } from '../recording/recording-stage.ts'
import { openFootageCopier } from './footage-copier.ts'

afterAll(removeTemporaryFolders)

const OTHER = { ...CAMERA, cameraId: 2002 }

async function twoCameras(): Promise<string> {
  const first = await stage({ segmentMs: 10_000 })
  const second = await stage({ segmentMs: 10_000, store: first.store, stream: OTHER })
  for (const set of [first, second]) {
    set.show(...playTracks([footage('high.h264')], { seconds: 20, wallClock: TEN_THIRTY }))
    await set.stop()
  }
  return first.store
}

test('footage of the own cameras is copied, also after the server was away, and a delay is a problem', async () => {
  await using server = await startS3Server()
  server.behavior = { fails: 500 }
  const store = await twoCameras()
  await using copier = openFootageCopier({
    store,
    s3: { ...server.settings, use: 'copy' },
    log: silentLogger,
    now: () => TEN_THIRTY + 3_600_000,
    isOwn: ({ cameraId }) => cameraId === CAMERA.cameraId,
    everyMs: 20,
  })
  await expect.poll(() => copier.problems()).toEqual([expect.stringContaining('the S3 server answers 500')])
  server.behavior = {}
  await expect.poll(() => copier.problems()).toEqual([])
  const segments = [...server.objects.keys()].filter((name) => name.endsWith('.seg'))
  const own = (await filesBelow(store)).filter((path) => path.includes(`/${CAMERA.cameraId}/`))
  expect(segments.sort()).toEqual(own.map((path) => path.slice(store.length + 1)))
})

test('without a bucket nothing is copied and nothing is a problem', async () => {
  const log = createLogger({ level: 'silent', format: 'json', name: 'test' })
  const nothing = { store: '/nowhere', s3: undefined, log, now: Date.now, isOwn: () => true }
  await using copier = openFootageCopier(nothing)
  await copier.eraseAccount(1)
  await copier.eraseKey(CAMERA, '2026-03-01')
  expect(copier.problems()).toEqual([])
})
