import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Mail, mailFolder } from './index.ts'

let parent: string
const folder = () => join(parent, 'mail')
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'sightline-mail-'))
})
afterEach(() => rm(parent, { recursive: true, force: true }))

const mail = (n: number): Mail => ({
  id: `7.${n}`,
  to: 'ada@video.example',
  date: 1_763_700_000_000 + n,
  senderName: 'Blue Eye',
  subject: `Mail ${n}`,
  text: 'https://video.example/abc\n',
  html: '<img src="cid:logo">',
  language: 'en',
  pictures: [{ name: 'logo', type: 'image/png', base64: 'AAAA' }],
})

test('only the owner of the process can read captured emails', async () => {
  await mailFolder(folder()).deliver(mail(1))
  expect((await stat(folder())).mode & 0o777).toBe(0o700)
  const [name = ''] = await readdir(folder())
  expect((await stat(join(folder(), name))).mode & 0o777).toBe(0o600)
  // The link can also be read directly from the file.
  expect(await readFile(join(folder(), name), 'utf8')).toContain('https://video.example/abc')
})

test('the newest come first, are found by id, and contain their pictures', async () => {
  const kept = mailFolder(folder())
  expect(await kept.list()).toEqual([])
  for (const n of [2, 1, 3]) await kept.deliver(mail(n))
  expect((await kept.list()).map(({ subject }) => subject)).toEqual(['Mail 3', 'Mail 2', 'Mail 1'])
  expect(await kept.find('7.2')).toMatchObject({ subject: 'Mail 2', html: '<img src="data:image/png;base64,AAAA">' })
  expect(await kept.find('2')).toBeUndefined()
  expect(await kept.find('../7.2')).toBeUndefined()
})

test('an email delivered twice is stored once, and the last 200 are kept', async () => {
  const kept = mailFolder(folder())
  for (let n = 1; n <= 205; n++) await kept.deliver(mail(n))
  await kept.deliver(mail(205))
  const all = await kept.list()
  expect(all).toHaveLength(200)
  expect(all.at(-1)?.subject).toBe('Mail 6')
})

test('other files in the folder are neither shown nor changed', async () => {
  const kept = mailFolder(folder())
  await kept.deliver(mail(1))
  await writeFile(join(folder(), 'notes.json'), '{}')
  await writeFile(join(folder(), `${'1'.repeat(15)}-9.9.json`), '{}')
  expect(await kept.list()).toHaveLength(1)
  expect(await readdir(folder())).toHaveLength(3)
})
