import { afterAll, expect, test } from 'vitest'
import { Manifest, type Tombstone, verifyManifest } from './manifest.ts'
import { CAMERA, removeTemporaryFolders, TEN_THIRTY, temporaryFolder } from './recording-stage.ts'
import { streamFolder, toHour } from './segment-name.ts'
import { SyncGroup } from './sync-group.ts'

afterAll(removeTemporaryFolders)

test('one who opens a manifest while another closes it still shares the chain with all who follow', async () => {
  const store = await temporaryFolder()
  const options = { store, stream: CAMERA, group: new SyncGroup(), failed: () => undefined }
  const append = (manifest: Manifest, segmentId: string) => {
    const line: Tombstone = { segmentId, reason: 'retention', by: 'system', at: TEN_THIRTY, sha256: '' }
    return manifest.append(line, toHour(TEN_THIRTY))
  }
  const first = await Manifest.open(options)
  const opening = Manifest.open(options)
  const closed = first[Symbol.asyncDispose]()
  await using second = await opening
  await closed
  await using third = await Manifest.open(options)
  await append(second, 'a'.repeat(32))
  await append(third, 'b'.repeat(32))
  await append(second, 'c'.repeat(32))
  expect((await verifyManifest(streamFolder(store, CAMERA), CAMERA)).broken).toEqual([])
})
