import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_EXPORT_BYTES } from '@sightline/contract/exports'
import type { ExportedClipAnswer, MediaPlane } from '@sightline/contract/media-plane'
import { instant } from '@sightline/platform/db'
import { BlobReader, TextWriter, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { artefactFiles } from './artefact-file.ts'
import {
  type AskedExport,
  asked,
  CLIP,
  encryption,
  from,
  HOUR,
  make,
  openStage,
  readContent,
  readState,
  stage,
  stuck,
  taskDeps,
  whole,
} from './export-testing.ts'

openStage({ beforeAll, afterAll, beforeEach, instant })

import { sweepExports } from './make-export.ts'

describe('the file of an export', () => {
  test('of one camera is its clip, encrypted on the disk, and known by its hash', async () => {
    const of = await asked({ format: 'mp4', reason: 'Theft' })
    expect(await make(of, taskDeps())).toMatchObject({ ok: true })
    const made = await readState(of)
    const sha256 = createHash('sha256').update(CLIP).digest('hex')
    expect(made).toMatchObject({ status: 'Done', progress: 100, sizeBytes: CLIP.length, sha256, hasSound: true })
    // Which key signed it is kept with it: another may sign tomorrow.
    const signed = stage.api.owner.plain
      .selectFrom('exports')
      .select('signer')
      .where('sha256', '=', Buffer.from(sha256, 'hex'))
    expect(await signed.execute()).toEqual([{ signer: 'ab'.repeat(32) }])
    expect(Date.parse(made.expiresAt ?? '') - Date.parse(made.exportedAt ?? '')).toBe(7 * 24 * HOUR)
    expect((await readContent(of)).equals(CLIP)).toBe(true)
    const [name = ''] = await readdir(stage.folder)
    const stored = await readFile(join(stage.folder, name))
    expect(stored.includes(CLIP.subarray(1000, 1032))).toBe(false)
    // A range in the middle is the same bytes; a flipped bit is noticed.
    stored.writeUInt8(stored.readUInt8(100) ^ 1, 100)
    await writeFile(join(stage.folder, name), stored)
    await expect(readContent(of)).rejects.toThrow()
  })

  test('asks each camera’s worker with a ticket that names the export, who asks and why', async () => {
    const addresses: string[] = []
    const exportedClip = (address: string) => {
      addresses.push(address)
      return whole()
    }
    const of = await asked({ format: 'mp4', reason: 'Theft' })
    await make(of, taskDeps({ media: { exportedClip, clipEnd: async ({ till }) => till } }))
    expect(addresses).toEqual([
      expect.stringContaining(`camera_id=${of.cameraIds[0]}&export_id=${of.exportId}&ticket=`),
    ])
    const ticket = await stage.api.owner.plain
      .selectFrom('stream_tickets')
      .selectAll()
      .where('export_id', '=', of.exportId)
      .executeTakeFirstOrThrow()
    expect(ticket).toMatchObject({
      token_sha256: null,
      has_sound: true,
      from_at: from,
      till_at: from + HOUR,
      proof: { exportId: String(of.exportId), cameraName: 'Front/door', reason: 'Theft' },
    })
  })

  test('of several cameras is a ZIP file with AES-256, a list of contents and the page that checks it', async () => {
    const of = await asked({ format: 'zip', password: 'long enough', name: 'Break-in', reason: 'Police' })
    const both = { ...of }
    await stage.api.owner.plain
      .updateTable('exports')
      .set({ camera_ids: [...of.cameraIds] })
      .where('export_id', '=', of.exportId)
      .execute()
    // The password was sealed by the API's own key.
    await stage.api.owner.plain
      .updateTable('exports')
      .set({
        password_sealed: encryption.seal(
          { accountId: of.accountId, table: 'exports', row: of.exportId, column: 'password_sealed' },
          'long enough',
        ),
      })
      .where('export_id', '=', of.exportId)
      .execute()
    await make(both, taskDeps())
    expect(await readState(of)).toMatchObject({ status: 'Done', hasPassword: true })
    const content = await readContent(of)
    expect(content.includes(CLIP.subarray(1000, 1032))).toBe(false)
    const open = (password: string) => new ZipReader(new BlobReader(new Blob([Uint8Array.from(content)])), { password })
    const entries = await open('long enough').getEntries()
    expect(entries.map(({ filename }) => filename)).toEqual([
      '1 Front_door.mp4',
      '2 Yard.mp4',
      'contents.txt',
      'footage-check.html',
    ])
    expect(entries.every(({ encrypted, zipCrypto }) => encrypted && !zipCrypto)).toBe(true)
    const [first, , list] = entries
    if (first?.directory !== false || list?.directory !== false) throw new Error('no files')
    expect(Buffer.from(await first.getData(new Uint8ArrayWriter())).equals(CLIP)).toBe(true)
    const text = await list.getData(new TextWriter())
    expect(text).toContain('Reason: Police')
    expect(text).toContain('again as AAC')
    expect(text).toMatch(/No footage: .*T.*\r\n {2}No footage: 2 more gaps, listed in the file's manifest/)
    expect(text).not.toContain('NOT THE ORIGINAL')
    expect(text).toContain(createHash('sha256').update(CLIP).digest('hex'))
    await expect(
      (async () => {
        const [locked] = await open('another one').getEntries()
        if (locked?.directory === false) await locked.getData(new Uint8ArrayWriter())
      })(),
    ).rejects.toThrow()
    const row = await stage.api.owner.plain
      .selectFrom('exports')
      .select('password_sealed')
      .where('export_id', '=', of.exportId)
      .executeTakeFirst()
    expect(row?.password_sealed).toBeNull()
  })

  test('has no sound if the person may not hear it', async () => {
    const of = await asked({ format: 'mp4' }, ['export', 'playback'])
    await make(of, taskDeps())
    expect(await readState(of)).toMatchObject({ status: 'Done', hasSound: false })
    const ticket = await stage.api.owner.plain
      .selectFrom('stream_tickets')
      .select('has_sound')
      .where('export_id', '=', of.exportId)
      .executeTakeFirst()
    expect(ticket?.has_sound).toBe(false)
  })
})

describe('making an export', () => {
  const failed = (failure: string) => ({ status: 'Failed', failure, failureDetail: expect.any(String) })
  const files = () => readdir(stage.folder).catch(() => [])

  test('ends within a second when it is cancelled, and leaves nothing', async () => {
    const of = await asked({ format: 'mp4' })
    const making = make(of, taskDeps({ media: { exportedClip: stuck, clipEnd: async ({ till }) => till } }))
    await expect.poll(async () => (await readState(of)).status).toBe('InProgress')
    expect((await stage.api.call(of.token, `DELETE exports/${of.exportId}`)).status).toBe(204)
    const ended = await Promise.race([making, sleep(1000)])
    expect(ended).toMatchObject({ ok: true })
    expect(await files()).toEqual([])
  })

  test('ends when the right or a camera is lost meanwhile', async () => {
    const of = await asked({ format: 'mp4' }, ['export', 'playback'])
    const making = make(of, taskDeps({ media: { exportedClip: stuck, clipEnd: async ({ till }) => till } }))
    await expect.poll(async () => (await readState(of)).status).toBe('InProgress')
    await stage.api.owner.plain
      .updateTable('users')
      .set({ rights: ['export'] })
      .where('user_id', '=', of.userId)
      .execute()
    expect(await making).toMatchObject({ ok: true })
    expect(await readState(of)).toMatchObject(failed('notAuthorized'))
    expect(await files()).toEqual([])
  })

  test('does not begin for somebody who lost the right, or whose camera was removed', async () => {
    const of = await asked({ format: 'mp4' }, ['export', 'playback'])
    await stage.api.owner.plain
      .updateTable('users')
      .set({ all_cameras: false })
      .where('user_id', '=', of.userId)
      .execute()
    await make(of, taskDeps())
    expect(await readState(of)).toMatchObject(failed('notAuthorized'))
    const other = await asked({ format: 'mp4' })
    await stage.api.owner.plain
      .deleteFrom('cameras')
      .where('camera_id', '=', other.cameraIds[0] ?? 0)
      .execute()
    await make(other, taskDeps())
    expect(await readState(other)).toMatchObject(failed('notAuthorized'))
  })

  test('looks for room first, and says so when a full disk ends it', async () => {
    const of = await asked({ format: 'mp4' })
    await make(of, taskDeps({ freeBytes: async () => 1024 ** 3 }))
    expect(await readState(of)).toMatchObject(failed('diskFull'))
    const other = await asked({ format: 'mp4' })
    const full = artefactFiles(stage.folder)
    const create: typeof full.create = async (id) =>
      Object.assign(await full.create(id), {
        write: async () => {
          throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
        },
      })
    await make(other, taskDeps({ artefacts: { ...full, create } }))
    expect(await readState(other)).toMatchObject(failed('diskFull'))
    expect(await files()).toEqual([])
  })

  test('ends when free space gets short while the file is written', async () => {
    const of = await asked({ format: 'mp4' })
    const left = [1e12, 1e12]
    const media = { exportedClip: stuck, clipEnd: async ({ till }: { till: number }) => till }
    await make(of, taskDeps({ media, freeBytes: async () => left.pop() ?? 1024 ** 3 - 1 }))
    expect(await readState(of)).toMatchObject(failed('diskFull'))
    expect(await files()).toEqual([])
  })

  test('ends when a file that is larger than expected passes what the account may have', async () => {
    const of = await asked({ format: 'mp4' })
    const times = { from: new Date(from).toISOString(), till: new Date(from + HOUR).toISOString() }
    const other = await stage.api.call(of.token, 'POST exports', {
      ...times,
      cameraIds: [of.cameraIds[0]],
      format: 'mp4',
    })
    await stage.api.owner.plain
      .updateTable('exports')
      .set({ estimated_bytes: MAX_EXPORT_BYTES - CLIP.length })
      .where('export_id', '=', other.body.exportId)
      .execute()
    const exportedClip: typeof stuck = async (address, signal) => ({
      ...(await stuck(address, signal)),
      chunks: (async function* () {
        yield CLIP
        yield CLIP
        await sleep(60_000, undefined, { signal })
      })(),
    })
    await make(of, taskDeps({ media: { exportedClip, clipEnd: async ({ till }) => till } }))
    expect(await readState(of)).toMatchObject(failed('diskFull'))
    expect((await readState(of)).failureDetail).toContain('200 GiB')
  })

  test('says nothing of the sound if a machine of an older version doesn’t', async () => {
    const of = await asked({ format: 'mp4' })
    const exportedClip = async () => ({ ...(await whole()), sound: undefined }) as Awaited<ReturnType<typeof whole>>
    await make(of, taskDeps({ media: { exportedClip, clipEnd: async ({ till }) => till } }))
    expect(await readState(of)).toMatchObject({ status: 'Done', sound: null })
  })

  test('of one file keeps where it has gaps, with what no machine has, unless there are too many to list', async () => {
    const gapsOf = async (deps: Partial<Pick<MediaPlane, 'exportedClip' | 'clipEnd'>>) => {
      const of = await asked({ format: 'mp4' })
      await make(of, taskDeps({ media: { exportedClip: whole, clipEnd: async ({ till }) => till, ...deps } }))
      const { gaps } = await stage.api.owner.plain
        .selectFrom('exports')
        .select('gaps')
        .where('export_id', '=', of.exportId)
        .executeTakeFirstOrThrow()
      return gaps
    }
    // Three gaps, of which one is listed.
    expect(await gapsOf({})).toBeNull()
    const listed = { exportedClip: async () => ({ ...(await whole()), allGaps: 1 }) as ExportedClipAnswer }
    expect(await gapsOf(listed)).toEqual([[from + 60_000, from + 120_000]])
    const half = from + HOUR / 2
    const clips = [listed.exportedClip, async () => ({ kind: 'noFootage' }) as const]
    const split = {
      exportedClip: () => (clips.shift() ?? listed.exportedClip)(),
      clipEnd: async ({ till, from: begin }: { from: number; till: number }) => (begin < half ? half : till),
    }
    expect(await gapsOf(split)).toEqual([
      [from + 60_000, from + 120_000],
      [half, from + HOUR],
    ])
  })

  test('fails if the footage is gone, or lies on two machines and must be one file', async () => {
    const gone = await asked({ format: 'mp4' })
    await make(
      gone,
      taskDeps({ media: { exportedClip: async () => ({ kind: 'noFootage' }), clipEnd: async ({ till }) => till } }),
    )
    expect(await readState(gone)).toMatchObject(failed('noFootage'))
    const clipEnd = async (of: { from: number; till: number }) => Math.min(of.till, of.from + HOUR / 2)
    const split = await asked({ format: 'mp4' })
    await make(split, taskDeps({ media: { exportedClip: whole, clipEnd } }))
    expect(await readState(split)).toMatchObject(failed('severalMachines'))
    const zipped = await asked({ format: 'zip' })
    await make(zipped, taskDeps({ media: { exportedClip: whole, clipEnd } }))
    expect(await readState(zipped)).toMatchObject({ status: 'Done' })
  })

  test('waits and tries again while the worker is away, and gives up after some tries', async () => {
    const of = await asked({ format: 'mp4' })
    const away = taskDeps({
      media: { exportedClip: async () => ({ kind: 'away' }), clipEnd: async ({ till }) => till },
    })
    for (let n = 0; n < 7; n += 1)
      expect(await make(of, away)).toMatchObject({ ok: false, failure: { retry: { kind: 'backoff' } } })
    expect(await readState(of)).toMatchObject({ status: 'Queued', failure: null })
    expect(await make(of, away)).toMatchObject({ ok: true })
    expect(await readState(of)).toMatchObject(failed('away'))
  })

  test('begins again after its process was killed, and what the killed one left is removed', async () => {
    const of = await asked({ format: 'mp4' })
    const stopping = new AbortController()
    // The killed process: it has written something, and says nothing more.
    const killed = make(
      of,
      taskDeps({ media: { exportedClip: stuck, clipEnd: async ({ till }) => till } }),
      stopping.signal,
    )
    await expect.poll(async () => (await readState(of)).status).toBe('InProgress')
    expect(await files()).toEqual([`${of.exportId}-1`])
    await make(of, taskDeps())
    expect(await readState(of)).toMatchObject({ status: 'Done' })
    expect((await readContent(of)).equals(CLIP)).toBe(true)
    // The first one, if it only stalled, notices that it isn't wanted and touches nothing.
    await killed
    expect(await files()).toEqual([`${of.exportId}-2`])
  })

  test('that stops with its process waits for the next one', async () => {
    const of = await asked({ format: 'mp4' })
    const stopping = new AbortController()
    const making = make(
      of,
      taskDeps({ media: { exportedClip: stuck, clipEnd: async ({ till }) => till } }),
      stopping.signal,
    )
    await expect.poll(async () => (await readState(of)).status).toBe('InProgress')
    stopping.abort()
    expect(await making).toMatchObject({ ok: false })
    expect(await readState(of)).toMatchObject({ status: 'Queued' })
    expect(await files()).toEqual([])
  })
})

test('files of expired and deleted exports, and of accounts that are gone, are removed; others stay', async () => {
  const all = [await asked({ format: 'mp4' }), await asked({ format: 'mp4' }), await asked({ format: 'mp4' })]
  for (const of of all) await make(of, taskDeps())
  const [expired, gone, kept] = all as [AskedExport, AskedExport, AskedExport]
  await stage.api.owner.plain
    .updateTable('exports')
    .set({ expires_at: instant(Date.now() - 1) })
    .where('export_id', '=', expired.exportId)
    .execute()
  await stage.api.owner.plain.deleteFrom('exports').where('export_id', '=', gone.exportId).execute()
  await sweepExports(taskDeps())
  expect(await readdir(stage.folder)).toEqual([`${kept.exportId}-1`])
  expect((await stage.api.call(expired.token, `GET exports/${expired.exportId}`)).status).toBe(404)
  expect((await readContent(kept)).equals(CLIP)).toBe(true)
})
