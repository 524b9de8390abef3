import type { ExportedClipAnswer } from '@sightline/contract/media-plane'
import { providerTheme } from '@sightline/contract/theme'
import { instant } from '@sightline/platform/db'
import { BlobReader, TextWriter, ZipReader } from '@zip.js/zip.js'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type AskedExport,
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

/** `contents.txt` of a ZIP file. */
async function readContents(of: AskedExport): Promise<string> {
  const content = new Blob([Uint8Array.from(await readContent(of))])
  const list = (await new ZipReader(new BlobReader(content)).getEntries()).find(
    ({ filename }) => filename === 'contents.txt',
  )
  if (list?.directory !== false) throw new Error('no contents')
  return await list.getData(new TextWriter())
}

const derivedClip = async (): Promise<Extract<ExportedClipAnswer, { kind: 'clip' }>> => ({
  kind: 'clip',
  bytes: CLIP.length,
  sound: 'replaced',
  gaps: [],
  allGaps: 0,
  isDerived: true,
  chunks: chunked(),
})

test('with text in its pictures is asked for with the camera’s time zone, and the contents say that it isn’t the original', async () => {
  const of = await asked({ format: 'zip', overlay: true, watermark: 'Copy for Acme' })
  await stage.api.owner.plain
    .updateTable('cameras')
    .set({ time_zone: 'America/Lima' })
    .where('account_id', '=', of.accountId)
    .execute()
  await make(of, taskDeps({ media: { exportedClip: derivedClip, clipEnd: async ({ till }) => till } }))
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
  const text = await readContents(of)
  expect(text).toContain('NOT THE ORIGINAL')
  expect(text).toContain('Watermark: Copy for Acme')
})

const logo = providerTheme.logo?.split(',')[1]
const branded = async (): Promise<ExportedClipAnswer> => ({ ...(await derivedClip()), hasLogo: true })
const setTheme = async (theme: object) => {
  await stage.api.owner.plain
    .updateTable('resellers')
    .set({ theme: JSON.stringify(theme) })
    .execute()
}

test('with the brand’s logo sends it to the machine with the footage, and the contents name it', async () => {
  const of = await asked({ format: 'zip', logo: true })
  await make(of, taskDeps({ media: { exportedClip: branded, clipEnd: async ({ till }) => till } }))
  expect(await readState(of)).toMatchObject({ status: 'Done', logo: true, overlay: false, watermark: null })
  const tickets = stage.api.owner.plain.selectFrom('stream_tickets').select('proof')
  const { proof } = await tickets.where('export_id', '=', of.exportId).executeTakeFirstOrThrow()
  expect(proof).toMatchObject({ derived: { logo } })
  const text = await readContents(of)
  expect(text).toContain('NOT THE ORIGINAL')
  expect(text).toContain('Added to the pictures: logo\r\n')
})

test('with a logo that the brand no longer has fails, and says so', async () => {
  const of = await asked({ format: 'mp4', logo: true })
  await setTheme({ logo: null })
  await make(of, taskDeps({ media: { exportedClip: branded, clipEnd: async ({ till }) => till } }))
  await setTheme({})
  expect(await readState(of)).toMatchObject({ status: 'Failed', failure: 'noLogo', sizeBytes: null })
})

test('with a logo fails if the machine with the footage is of a version that doesn’t know logos', async () => {
  const of = await asked({ format: 'mp4', logo: true })
  await make(of, taskDeps({ media: { exportedClip: derivedClip, clipEnd: async ({ till }) => till } }))
  expect(await readState(of)).toMatchObject({ status: 'Failed', failure: 'noEncoder' })
})

const fast = async (): Promise<ExportedClipAnswer> => ({
  kind: 'clip',
  bytes: CLIP.length,
  sound: 'leftOut',
  gaps: [],
  allGaps: 0,
  isDerived: true,
  speed: 4,
  chunks: chunked(),
})

test('at another speed has no sound, and the contents say why', async () => {
  const of = await asked({ format: 'zip', speed: 4 })
  await make(of, taskDeps({ media: { exportedClip: fast, clipEnd: async ({ till }) => till } }))
  expect(await readState(of)).toMatchObject({ status: 'Done', speed: 4, hasSound: false, sound: 'leftOut' })
  const tickets = stage.api.owner.plain.selectFrom('stream_tickets').select(['proof', 'has_sound'])
  const ticket = await tickets.where('export_id', '=', of.exportId).executeTakeFirstOrThrow()
  expect(ticket).toMatchObject({ has_sound: false, proof: { derived: { speed: 4 } } })
  const text = await readContents(of)
  expect(text).toContain('NOT THE ORIGINAL')
  expect(text).toContain('Speed: 4 times as fast as recorded, without sound')
  expect(text).toContain('Sound: left out: the video is faster than it was recorded')
})

test('at another speed fails if the machine with the footage is of a version that doesn’t know speeds', async () => {
  const of = await asked({ format: 'mp4', speed: 4 })
  const exportedClip = async () => ({ ...(await fast()), speed: 1 }) as ExportedClipAnswer
  await make(of, taskDeps({ media: { exportedClip, clipEnd: async ({ till }) => till } }))
  expect(await readState(of)).toMatchObject({ status: 'Failed', failure: 'noEncoder' })
})

test.each([
  ['none', null],
  ['a JPEG', 'data:image/jpeg;base64,/9j/4AAQ'],
  ['a file of the host', '/logo.png'],
  ['what is only called a PNG', 'data:image/png;base64,R0lGODlhAQABAAAAACw='],
])('a brand whose logo is %s offers none, and the call answers code 17', async (_, brandLogo) => {
  await setTheme({ logo: brandLogo })
  await expect(asked({ format: 'mp4', logo: true })).rejects.toThrow('422')
  const { token } = await stage.api.addAccount()
  const options = (await stage.api.call(token, 'GET exportOptions')).body
  await setTheme({})
  expect(options).toEqual({ overlay: true, logo: false, sound: true })
  expect((await stage.api.call(token, 'GET exportOptions')).body).toEqual({ overlay: true, logo: true, sound: true })
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
