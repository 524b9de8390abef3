import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, silentLogger } from '@sightline/platform/log'
import { type Mail, type MailFolder, mailFolder } from '@sightline/platform/mail'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keptMailPages } from './kept-mail.ts'

let parent: string
let folder: MailFolder
let server: Server
const EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

const mail: Mail = {
  id: '7.42',
  to: 'ada@video.example',
  date: Date.UTC(2026, 10, 21, 12, 30),
  senderName: EVIL,
  subject: `Hello ${EVIL}`,
  text: `${EVIL}\nhttps://video.example/abc`,
  html: `<!doctype html><html><head><title>x</title></head><body>${EVIL}<a href="https://video.example/abc">Open</a></body></html>`,
  language: 'en',
  pictures: [],
}

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'sightline-kept-mail-'))
  folder = mailFolder(join(parent, 'mail'))
  await folder.deliver(mail)
  server = createServer(
    keptMailPages(
      folder,
      silentLogger,
    )((_, res) => {
      res.writeHead(404).end('not here')
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await rm(parent, { recursive: true, force: true })
})

interface Got {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

function ask(path: string, { host = '127.0.0.1:8080', method = 'GET' } = {}): Promise<Got> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    request({ port, path, method, headers: { host } }, async (res) => {
      const chunks: Buffer[] = []
      for await (const chunk of res) chunks.push(chunk)
      resolve({ status: res.statusCode, headers: res.headers, text: Buffer.concat(chunks).toString() })
    })
      .on('error', reject)
      .end()
  })
}
const policyOf = ({ headers }: Got) => String(headers['content-security-policy'])

describe('kept mails', () => {
  test('are listed, and each is shown with its text and its document in a frame', async () => {
    const list = await ask('/mail/')
    expect(list.status).toBe(200)
    expect(list.text).toContain('href="/mail/7.42"')
    expect(list.text).toContain('2026-11-21 12:30:00 UTC')
    const one = await ask('/mail/7.42')
    expect(one.text).toContain('<iframe src="/mail/7.42/document"')
    expect(one.text).toContain('https://video.example/abc')
  })

  test.each(['/mail/', '/mail/7.42'])('%s: what a mail says is text there, and no script could run', async (path) => {
    const page = await ask(path)
    expect(page.text).not.toMatch(/<script|<img/)
    expect(policyOf(page)).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; frame-src 'self'/)
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  })

  test('their documents have no rights: no script, no form, no origin, and links open beside', async () => {
    const document = await ask('/mail/7.42/document')
    expect(document.text).toContain('<head><base target="_blank">')
    const policy = policyOf(document).split('; ')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain('sandbox allow-popups allow-popups-to-escape-sandbox')
    expect(policy.join()).not.toMatch(/allow-scripts|allow-same-origin|script-src/)
  })

  test.each(['localhost:8080', 'LOCALHOST', '[::1]:8080', '127.0.0.1'])('are shown to who asks %s', async (host) => {
    expect((await ask('/mail/', { host })).status).toBe(200)
  })

  test.each(['evil.example', '192.168.1.9:8080', 'localhost.evil.example', '127.0.0.1.evil.example:80'])(
    'are not shown to a page that made its own name %j lead here',
    async (host) => {
      for (const path of ['/mail/', '/mail/7.42', '/mail/7.42/document']) {
        expect(await ask(path, { host })).toMatchObject({ status: 404, text: 'not here' })
      }
    },
  )

  test.each(['/mail/7.43', '/mail/..%2f..%2fsecrets.json', '/mail/../secrets', '/mail/7.42/other', '/mail/.'])(
    '%s is no mail',
    async (path) => {
      expect(await ask(path)).toMatchObject({ status: 404, text: expect.stringContaining('No such mail') })
    },
  )

  test('can only be read, and other paths are somebody else’s', async () => {
    expect((await ask('/mail/', { method: 'POST' })).status).toBe(405)
    expect(await ask('/mail/', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
    expect(await ask('/mails')).toMatchObject({ text: 'not here' })
  })

  test('that cannot be read are said to be so, in the log as well', async () => {
    const logged: string[] = []
    const log = createLogger({ level: 'info', format: 'json', name: 'x' }, { write: (line) => logged.push(line) })
    const broken: MailFolder = { ...folder, list: () => Promise.reject(new Error('no disk')) }
    const other = createServer(keptMailPages(broken, log)((_, res) => void res.end()))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    expect((await fetch(`http://127.0.0.1:${port}/mail/`)).status).toBe(500)
    expect(logged.join('')).toContain('no disk')
    await new Promise((resolve) => other.close(resolve))
  })
})
