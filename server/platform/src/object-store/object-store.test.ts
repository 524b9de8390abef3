import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type S3Server, startS3Server } from '../../../../tests/fixtures/s3-server.ts'
import { type ObjectStore, s3ObjectStore } from './index.ts'

let server: S3Server
let objects: ObjectStore
let folder = ''
beforeAll(async () => {
  server = await startS3Server()
  objects = s3ObjectStore(server.settings)
  folder = await mkdtemp(join(tmpdir(), 'sightline-objects-'))
})
beforeEach(() => {
  server.behavior = {}
  server.objects.clear()
})
afterAll(async () => {
  objects[Symbol.dispose]()
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

test('what was stored is listed, measured, read by ranges and removed', async () => {
  server.behavior = { pageSize: 2 }
  const path = join(folder, 'file')
  await writeFile(path, 'hello, world')
  const sha256 = '09ca7e4eaa6e8ae9c7d261167129184883644d07dfba7cbfbc4c8a2e08360d5b'
  for (const name of ['a/1', 'a/2', 'a/3', 'a/4', 'a/5', 'b/1'])
    await objects.putFile(name, path, { bytes: 12, sha256 })
  await objects.putBytes('a/empty', new Uint8Array())
  const names: string[] = []
  for await (const { name, bytes } of objects.list('a/')) names.push(`${name} ${bytes}`)
  expect(names).toEqual(['a/1 12', 'a/2 12', 'a/3 12', 'a/4 12', 'a/5 12', 'a/empty 0'])
  expect([await objects.size('a/1'), await objects.size('c')]).toEqual([12, undefined])
  expect(Buffer.from(await objects.read('b/1', { start: 7, end: 12 })).toString()).toBe('world')
  await objects.remove('b/1')
  await objects.remove('b/1')
  expect(await objects.size('b/1')).toBeUndefined()
  await expect(objects.putFile('x', path, { bytes: 12, sha256: '0'.repeat(64) })).rejects.toMatchObject({
    isContentWrong: true,
  })
  expect(server.objects.has('x')).toBe(false)
})

test('a redirect is not followed, and nothing is sent to the other address', async () => {
  await using other = await startS3Server()
  server.behavior = { redirectsTo: other.settings.endpoint }
  await expect(objects.putBytes('a', Buffer.from('x'))).rejects.toThrow('redirects to another address')
  expect(other.requests).toEqual([])
})

test('a request that goes on and on is ended after a time in proportion to its size, although bytes come', async () => {
  server.behavior = { dripsEveryMs: 20 }
  server.objects.set('slow', Buffer.alloc(1000))
  const limits = { idleMs: 10_000, baseMs: 100, bytesPerMs: 10 }
  using impatient = s3ObjectStore(server.settings, { limits })
  const began = performance.now()
  await expect(impatient.read('slow', { start: 0, end: 1000 })).rejects.toMatchObject({
    name: 'ObjectStoreError',
    message: "the S3 server can't be reached (too slow: 1000 bytes took longer than 200 ms)",
  })
  // Not before its time.
  expect(performance.now() - began).toBeGreaterThan(190)
  server.behavior = {}
  expect(await impatient.read('slow', { start: 0, end: 1000 })).toHaveLength(1000)
})

test('a clock that differs, a wrong key, a missing bucket and a server that is away are named', async () => {
  server.behavior = { skewMs: 3_600_000 }
  await expect(objects.putBytes('a', Buffer.from('x'))).rejects.toThrow(/clock of this server differs .* by 3(600|599)/)
  server.behavior = {}
  using wrong = s3ObjectStore({ ...server.settings, secretKey: 'other' })
  await expect(wrong.size('a')).rejects.toThrow('refuses the access key')
  await expect(wrong.putBytes('a', Buffer.from('x'))).rejects.toThrow('refuses the access key (SignatureDoesNotMatch)')
  using missing = s3ObjectStore({ ...server.settings, bucket: 'missing' })
  await expect(missing.putBytes('a', Buffer.from('x'))).rejects.toThrow('bucket does not exist')
  using away = s3ObjectStore({ ...server.settings, endpoint: 'http://127.0.0.1:9' })
  await expect(away.putBytes('a', Buffer.from('x'))).rejects.toThrow(/can't be reached/)
  server.behavior = { fails: 503 }
  await expect(objects.remove('a')).rejects.toThrow('answers 503 ServiceUnavailable')
})
