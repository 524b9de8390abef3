import { chmod, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDataFolder, StartError } from './index.ts'
import { processIdentity } from './process-identity.ts'

let parent: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'sightline-folder-'))
})
afterEach(() => rm(parent, { recursive: true, force: true }))

test('a missing folder is created, readable only by its owner', async () => {
  await using folder = await openDataFolder(join(parent, 'deep', 'data'))
  expect((await stat(folder.path)).mode & 0o777).toBe(0o700)
})

test('a second start on the same folder is refused, and works once the first has ended', async () => {
  const first = await openDataFolder(parent)
  await expect(openDataFolder(parent)).rejects.toThrow(
    /^The data folder .* is in use by another Sightline \(process \d+\)/,
  )
  await first[Symbol.asyncDispose]()
  await using second = await openDataFolder(parent)
  expect(second.path).toBe(parent)
})

test('of many concurrent starts exactly one gets the folder', async () => {
  const starts = await Promise.allSettled(Array.from({ length: 8 }, () => openDataFolder(parent)))
  expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test.each([
  ['a process that has ended', { pid: 2 ** 22 + 1, birth: 'before' }],
  ['a process whose id another one has now', { pid: process.pid, birth: 'before' }],
])('the lock of %s is taken over', async (_, holder) => {
  const { pidNamespace } = processIdentity(process.pid)!
  await writeFile(join(parent, 'lock'), JSON.stringify({ ...holder, pidNamespace }))
  await using folder = await openDataFolder(parent)
  expect(JSON.parse(await readFile(join(folder.path, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid })
})

test('a lock cut short by a crash is taken over', async () => {
  await writeFile(join(parent, 'lock'), '')
  await using folder = await openDataFolder(parent)
  expect(folder.path).toBe(parent)
})

test('a holder in another container counts as running while it refreshes its lock, and not after', async () => {
  const lock = join(parent, 'lock')
  await writeFile(lock, JSON.stringify({ pid: 1, birth: 'elsewhere', pidNamespace: 'pid:[1]' }))
  const beating = setInterval(() => utimes(lock, new Date(), new Date()), 100)
  await expect(openDataFolder(parent)).rejects.toThrow(StartError)
  clearInterval(beating)
  await using folder = await openDataFolder(parent)
  expect(folder.path).toBe(parent)
})

const refusalOf = (path: string): Promise<string> =>
  openDataFolder(path).then(
    () => 'opened',
    (error: unknown) => (error instanceof StartError ? error.message : `not refused: ${error}`),
  )

test('a file in the way is named, at the end of the path or in the middle', async () => {
  const file = join(parent, 'file')
  await writeFile(file, '')
  const rest = `because ${file} is not a folder: set SIGHTLINE_DATA_DIR to another folder.`
  expect(await refusalOf(file)).toBe(`Could not create the data folder ${file}, ${rest}`)
  expect(await refusalOf(join(file, 'deep', 'data'))).toBe(
    `Could not create the data folder ${file}/deep/data, ${rest}`,
  )
})

test.runIf(process.platform === 'linux')('if nothing can be created, the message says so immediately', async () => {
  for (const path of ['/proc/sightline', '/proc/sightline/deep/data']) {
    expect(await refusalOf(path)).toBe(
      `The data folder ${path} can't be created (ENOENT), because nothing can be created in /proc: set SIGHTLINE_DATA_DIR to another folder.`,
    )
  }
})

test.skipIf(process.getuid?.() === 0)("if a folder isn't writable, the message says for whom", async () => {
  await chmod(parent, 0o500)
  expect(await refusalOf(join(parent, 'data'))).toContain(
    `can't be created (EACCES): give this user permission to write to ${parent}, or set`,
  )
})
