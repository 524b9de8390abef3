/** Exports of a running product: judged by ffprobe and the verifier, downloaded in ranges, and made again after everything was killed. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FootageExport } from '@sightline/contract/exports'
import { verifyExport } from '@sightline/contract/footage-proof'
import { BlobReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fetchToken } from '../signed-in.ts'

let product: RunningProduct
let folder: string
let dataFolder: string
let token: string
let cameraIds: readonly number[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-exports-'))
  dataFolder = join(folder, 'data')
  product = await startProduct({ dataFolder })
  token = await fetchToken(product.origin, 'owner@demo.example')
  cameraIds = (await ask<{ cameraId: number }[]>('GET cameras')).map(({ cameraId }) => cameraId).slice(0, 4)
  await sleep(25_000)
}, 120_000)
afterAll(async () => {
  await product[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function ask<T>(request: string, body?: unknown): Promise<T> {
  const reply = await callApi<T>(product.origin, token, request, body)
  if (reply.status >= 400) throw new Error(`${request} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply.body
}

const add = (body: object) => {
  const [from, till] = [Date.now() - 15_250, Date.now() - 3130].map((time) => new Date(time).toISOString())
  return ask<FootageExport>('POST exports', { from, till, ...body })
}

async function done({ exportId }: FootageExport): Promise<FootageExport> {
  await expect
    .poll(async () => (await ask<FootageExport>(`GET exports/${exportId}`)).status, { timeout: 60_000, interval: 200 })
    .toBe('Done')
  return await ask(`GET exports/${exportId}`)
}

async function download({ exportId }: FootageExport): Promise<Buffer> {
  const { url } = await ask<{ url: string }>(`POST exports/${exportId}/links`)
  const reply = await fetch(url)
  expect(reply.status).toBe(200)
  return Buffer.from(await reply.arrayBuffer())
}

async function fingerprints(): Promise<readonly string[]> {
  const { keys } = (await (await fetch(`${product.origin}/.well-known/footage-keys.json`)).json()) as {
    keys: readonly { fingerprint: string }[]
  }
  return keys.map(({ fingerprint }) => fingerprint)
}

async function judge(bytes: Uint8Array): Promise<void> {
  const file = {
    bytes: bytes.length,
    read: async (from: number, till: number) => Uint8Array.from(bytes.subarray(from, till)),
  }
  const report = await verifyExport({ file, trusted: await fingerprints() })
  expect(report.findings).toEqual([])
  const path = join(folder, 'judged.mp4')
  await writeFile(path, bytes)
  expect(String(execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-']))).toBe('')
  const entries = ['-select_streams', 'v', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path]
  const times = String(execFileSync('ffprobe', ['-v', 'error', ...entries]))
    .trim()
    .split('\n')
    .map(Number)
  expect(times.some((time) => time > -0.05 && time <= 0)).toBe(true)
  expect(times.at(-1)).toBeGreaterThan(12)
  expect(times.at(-1)).toBeLessThan(12.13)
}

test('an MP4 is proven, shows exactly its time, and downloads in ranges with an address that no other session made', async () => {
  const made = await done(await add({ cameraIds: [cameraIds[0]], format: 'mp4', reason: 'Theft' }))
  const bytes = await download(made)
  expect(bytes.length).toBe(made.sizeBytes)
  await judge(bytes)
  const { url } = await ask<{ url: string }>(`POST exports/${made.exportId}/links`)
  const middle = await fetch(url, { headers: { range: 'bytes=70000-140000' } })
  expect(middle.status).toBe(206)
  expect(Buffer.from(await middle.arrayBuffer()).equals(bytes.subarray(70_000, 140_001))).toBe(true)
  expect((await fetch(url, { headers: { range: `bytes=${bytes.length}-` } })).status).toBe(416)
  expect((await fetch(url.replace(/ticket=.*/, 'ticket=other'))).status).toBe(404)
  const log = await ask<{ action: string }[]>('GET auditLogs?actions=export,addExport')
  expect(log.map(({ action }) => action).toSorted()).toEqual(['addExport', 'export', 'export'])
  const spare = await fetchToken(product.origin, 'owner@demo.example')
  const other = await callApi<{ url: string }>(product.origin, spare, `POST exports/${made.exportId}/links`)
  await callApi(product.origin, spare, 'DELETE users/self/tokens/current')
  expect((await fetch(other.body.url)).status).toBe(404)
  await ask(`DELETE exports/${made.exportId}`)
  expect((await fetch(url)).status).toBe(404)
  expect(await readdir(join(dataFolder, 'exports'))).toEqual([])
}, 120_000)

/** Encoders that run now. */
async function encoders(): Promise<readonly number[]> {
  const found: number[] = []
  for (const pid of await product.processes()) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('libx264')) found.push(pid)
  }
  return found
}

const derived = { format: 'mp4', overlay: true, watermark: 'Copy' } as const
const isEncoding = () => expect.poll(encoders, { interval: 50, timeout: 30_000 }).toHaveLength(1)

test('an export that is canceled while its pictures are encoded leaves no process and no file after a second', async () => {
  const made = await add({ ...derived, cameraIds: [cameraIds[0]] })
  await isEncoding()
  await ask(`DELETE exports/${made.exportId}`)
  await sleep(1000)
  expect(await encoders()).toEqual([])
  expect(await readdir(join(dataFolder, 'exports'))).toEqual([])
}, 60_000)

test('exports that everything was killed in the middle of are made by themselves after the next start', async () => {
  const wanted = { cameraIds, format: 'zip', password: 'long enough' }
  const all = await Promise.all([1, 2, 3, 4, 5, 6].map(() => add(wanted)))
  await expect
    .poll(async () => (await ask<FootageExport[]>('GET exports')).some(({ status }) => status === 'InProgress'), {
      interval: 20,
      timeout: 20_000,
    })
    .toBe(true)
  await product.killAll()
  product = await startProduct({ dataFolder, port: product.port })
  const made: FootageExport[] = []
  for (const one of all) made.push(await done(one))
  const files = await readdir(join(dataFolder, 'exports'))
  expect(files.map((file) => file.split('-')[0]).toSorted()).toEqual(
    all.map(({ exportId }) => String(exportId)).toSorted(),
  )
  expect(files.some((file) => !file.endsWith('-1'))).toBe(true)
  const zip = new ZipReader(new BlobReader(new Blob([Uint8Array.from(await download(made[0] ?? expect.fail()))])), {
    password: 'long enough',
  })
  const clips = (await zip.getEntries()).filter(({ filename }) => filename.endsWith('.mp4'))
  expect(clips).toHaveLength(cameraIds.length)
  for (const clip of clips) if (!clip.directory) await judge(await clip.getData(new Uint8ArrayWriter()))
}, 180_000)

test('after all processes were killed while an export was being encoded, it is made again without being asked, and says that it is not the original', async () => {
  const made = await add({ ...derived, cameraIds: [cameraIds[0]] })
  await isEncoding()
  await product.killAll()
  product = await startProduct({ dataFolder, port: product.port })
  const bytes = await download(await done(made))
  const files = await readdir(join(dataFolder, 'exports'))
  expect(files.filter((file) => file.startsWith(`${made.exportId}-`))).toEqual([`${made.exportId}-2`])
  const file = {
    bytes: bytes.length,
    read: async (from: number, till: number) => Uint8Array.from(bytes.subarray(from, till)),
  }
  const report = await verifyExport({ file, trusted: await fingerprints() })
  expect(report).toMatchObject({
    findings: [],
    manifest: { derived: { overlay: true, watermark: 'Copy' } },
    recorded: { proven: 0 },
  })
  const path = join(folder, 'derived.mp4')
  await writeFile(path, bytes)
  expect(String(execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-']))).toBe('')
  await ask(`DELETE exports/${made.exportId}`)
}, 120_000)
