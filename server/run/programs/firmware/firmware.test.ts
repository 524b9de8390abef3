import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, idSource } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runFirmwareCommand } from './commands.ts'
import { readFirmwareCommand } from './options.ts'

let database: TestDatabase
let owner: Db
let folder = ''
beforeAll(async () => {
  database = await testDatabase()
  owner = database.db('owner')
  folder = await mkdtemp(join(tmpdir(), 'sightline-firmware-'))
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

async function run(...words: string[]): Promise<string> {
  const command = readFirmwareCommand(words)
  if (!command.ok) return command.failure
  const result = await runFirmwareCommand(command.value, { db: owner, ids: idSource(owner) })
  return result.ok ? result.value : result.failure
}

const add = (file: string, version: string, ...more: string[]) =>
  run('add', '--file', file, '--brand', 'Acme', '--model', 'Dome 4', '--version', version, ...more)

test('an image is stored in parts with its checksum and the signature as it is, listed and removed', async () => {
  const file = join(folder, 'image.dig')
  const signature = join(folder, 'image.sig')
  const bytes = Buffer.alloc(1_300_000, 7)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await writeFile(file, bytes)
  await writeFile(signature, 'made by Acme')
  expect(await add(file, '1.2', '--signature', signature)).toContain(`SHA-256 ${sha256}`)
  const image = await owner.plain.selectFrom('firmware_images').selectAll().executeTakeFirstOrThrow()
  expect(image).toMatchObject({ reseller_id: null, brand: 'Acme', size_bytes: bytes.length })
  expect(image.signature?.toString()).toBe('made by Acme')
  const parts = await owner.plain.selectFrom('firmware_parts').selectAll().orderBy('part').execute()
  expect(parts.map((part) => part.bytes.length)).toEqual([524_288, 524_288, 251_424])
  expect(Buffer.concat(parts.map((part) => part.bytes)).equals(bytes)).toBe(true)
  expect(await run('list')).toBe(`${image.image_id}  operator  Acme  Dome 4  1.2  1300000 bytes  ${sha256}\n`)
  expect(await add(file, '1.2')).toContain('is already offered')
  expect(await run('remove', String(image.image_id))).toContain('no longer offered')
  expect(await run('remove', String(image.image_id))).toContain('There is no firmware')
  expect(await run('list')).toBe('No firmware is offered.\n')
})

test.each([
  [['add', '--file', 'x'], 'add needs --file, --brand, --model and --version.'],
  [['add', '--file', 'x', '--brand', ' ', '--model', 'm', '--version', '1'], '--brand: This field is required.'],
  [['remove', 'x'], 'remove needs the id that list shows.'],
  [['list', 'all'], 'list takes no options.'],
  [['send'], 'Unknown command send.'],
])('%j is refused: %s', async (words, why) => {
  expect(await run(...words)).toBe(why)
})

test('a file that is missing, empty or no file is refused with a sentence', async () => {
  const empty = join(folder, 'empty')
  await writeFile(empty, '')
  expect(await add(join(folder, 'none'), '1')).toContain("can't be read")
  expect(await add(folder, '1')).toContain("can't be read")
  expect(await add(empty, '1')).toContain('has 0 bytes')
})
