import type { ExportedClipAnswer } from '@sightline/contract/media-plane'
import { instant } from '@sightline/platform/db'
import { BlobReader, TextWriter, ZipReader } from '@zip.js/zip.js'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  asked,
  CLIP,
  chunked,
  make,
  openStage,
  readContent,
  readState,
  stage,
  taskDeps,
  whole,
} from './export-testing.ts'

openStage({ beforeAll, afterAll, beforeEach, instant })

test('with text in its pictures is asked for with the camera’s time zone, and the contents say that it isn’t the original', async () => {
  const of = await asked({ format: 'zip', overlay: true, watermark: 'Copy for Acme' })
  await stage.api.owner.plain
    .updateTable('cameras')
    .set({ time_zone: 'America/Lima' })
    .where('account_id', '=', of.accountId)
    .execute()
  const exportedClip = async (): Promise<ExportedClipAnswer> => ({
    kind: 'clip',
    bytes: CLIP.length,
    sound: 'replaced',
    gaps: [],
    allGaps: 0,
    isDerived: true,
    chunks: chunked(),
  })
  await make(of, taskDeps({ media: { exportedClip, clipEnd: async ({ till }) => till } }))
  expect(await readState(of)).toMatchObject({
    status: 'Done',
    overlay: true,
    watermark: 'Copy for Acme',
    sound: 'replaced',
  })
  const ticket = await stage.api.owner.plain
    .selectFrom('stream_tickets')
    .select('proof')
    .where('export_id', '=', of.exportId)
    .executeTakeFirstOrThrow()
  expect(ticket.proof).toMatchObject({ derived: { timeZone: 'America/Lima', watermark: 'Copy for Acme' } })
  const content = new Blob([Uint8Array.from(await readContent(of))])
  const list = (await new ZipReader(new BlobReader(content)).getEntries()).find(
    ({ filename }) => filename === 'contents.txt',
  )
  if (list?.directory !== false) throw new Error('no contents')
  const text = await list.getData(new TextWriter())
  expect(text).toContain('NOT THE ORIGINAL')
  expect(text).toContain('Watermark: Copy for Acme')
})

test.each([
  ['has no encoder', async (): Promise<ExportedClipAnswer> => ({ kind: 'noEncoder' })],
  ['is of an older version and sends the original', whole],
])('with text in its pictures fails if the machine with the footage %s', async (_, exportedClip) => {
  const of = await asked({ format: 'mp4', overlay: true })
  await make(of, taskDeps({ media: { exportedClip, clipEnd: async ({ till }) => till } }))
  expect(await readState(of)).toMatchObject({ status: 'Failed', failure: 'noEncoder', sizeBytes: null })
})

test('with text in its pictures fails if the camera changed its codec meanwhile, and says so', async () => {
  const of = await asked({ format: 'mp4', overlay: true })
  const exportedClip = async (): Promise<ExportedClipAnswer> => ({ kind: 'codecChange' })
  await make(of, taskDeps({ media: { exportedClip, clipEnd: async ({ till }) => till } }))
  const { status, failureDetail } = await readState(of)
  expect([status, failureDetail]).toEqual(['Failed', expect.stringContaining('codec')])
})
