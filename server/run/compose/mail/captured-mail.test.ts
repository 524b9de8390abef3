import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, silentLogger } from '@sightline/platform/log'
import { type Mail, type MailFolder, mailFolder } from '@sightline/platform/mail'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { capturedMailPages } from './captured-mail.ts'
import { mailKey } from './mail-key.ts'

let parent: string
let folder: MailFolder
let server: Server
const key = mailKey()
/** The cookie of a browser that used the printed link. */
let cookie = ''
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
  parent = await mkdtemp(join(tmpdir(), 'sightline-captured-mail-'))
  folder = mailFolder(join(parent, 'mail'))
  await folder.deliver(mail)
  server = createServer(
    capturedMailPages({
      folder,
      key,
      log: silentLogger,
    })((_, res) => {
      res.writeHead(404).end('not here')
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cookie = await letIn()
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

interface Asking {
  readonly host?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly localAddress?: string
}

function ask(
  path: string,
  { host = '127.0.0.1:8080', method = 'GET', headers = {}, localAddress }: Asking = {},
): Promise<Got> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { host, cookie, ...headers },
        ...(localAddress === undefined ? {} : { localAddress }),
      },
      async (res) => {
        const chunks: Buffer[] = []
        for await (const chunk of res) chunks.push(chunk)
        resolve({ status: res.statusCode, headers: res.headers, text: Buffer.concat(chunks).toString() })
      },
    )
      .on('error', reject)
      .end()
  })
}

async function letIn(): Promise<string> {
  const { headers } = await ask(key.link(), { headers: { cookie: '' } })
  return String(headers['set-cookie']).split(';', 1)[0] ?? ''
}
const policyOf = ({ headers }: Got) => String(headers['content-security-policy'])

describe('captured emails', () => {
  test('are listed, and each is shown with its text and its document in a frame', async () => {
    const list = await ask('/mail/')
    expect(list.status).toBe(200)
    expect(list.text).toContain('href="/mail/7.42"')
    expect(list.text).toContain('2026-11-21 12:30:00 UTC')
    const one = await ask('/mail/7.42')
    expect(one.text).toContain('<iframe src="/mail/7.42/document"')
    expect(one.text).toContain('https://video.example/abc')
  })

  test.each(['/mail/', '/mail/7.42'])(
    '%s: an email’s content is shown as text, and no script can run',
    async (path) => {
      const page = await ask(path)
      expect(page.text).not.toMatch(/<script|<img/)
      expect(policyOf(page)).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; frame-src 'self'/)
      expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    },
  )

  test('have documents without rights: no script, no form, no origin, and links open in a new tab', async () => {
    const document = await ask('/mail/7.42/document')
    expect(document.text).toContain('<head><base target="_blank">')
    const policy = policyOf(document).split('; ')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain('sandbox allow-popups allow-popups-to-escape-sandbox')
    expect(policy.join()).not.toMatch(/allow-scripts|allow-same-origin|script-src/)
    expect(policy).toContain('img-src data:')
    expect(policy.join()).not.toMatch(/https?:/)
  })

  test.each(['localhost:8080', 'LOCALHOST', '[::1]:8080', '127.0.0.1'])('are shown for host %s', async (host) => {
    expect((await ask('/mail/', { host })).status).toBe(200)
  })

  test.each(['evil.example', '192.168.1.9:8080', 'localhost.evil.example', '127.0.0.1.evil.example:80'])(
    'are not shown to a page that points its own name %j here',
    async (host) => {
      for (const path of ['/mail/', '/mail/7.42', '/mail/7.42/document']) {
        expect(await ask(path, { host })).toMatchObject({ status: 404, text: 'not here' })
      }
    },
  )

  test.each([
    ['X-Forwarded-For', '198.51.100.7'],
    ['x-forwarded-proto', 'https'],
    ['X-Forwarded-Host', 'video.example'],
    ['Forwarded', 'for=198.51.100.7'],
    ['Via', '1.1 proxy'],
    ['X-Real-IP', '198.51.100.7'],
    ['X-Client-IP', '198.51.100.7'],
    ['True-Client-IP', '198.51.100.7'],
    ['CF-Connecting-IP', '198.51.100.7'],
    ['X-Original-Forwarded-For', '198.51.100.7'],
    ['X-Cluster-Client-IP', '198.51.100.7'],
    ['CDN-Loop', 'cdn'],
  ])('are not shown if %s indicates a proxy, and the link isn’t used up', async (name, value) => {
    const link = key.link()
    for (const path of ['/mail/', '/mail/7.42', '/mail/7.42/document', link]) {
      expect(await ask(path, { headers: { [name]: value } })).toMatchObject({ status: 404, text: 'not here' })
    }
    expect(key.link()).toBe(link)
  })

  test('are not shown to a peer on an address other than loopback', async () => {
    const [other] = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
    if (other === undefined) throw new Error('this machine has no address besides loopback')
    const everywhere = createServer(
      capturedMailPages({ folder, key, log: silentLogger })((_, res) => void res.writeHead(404).end()),
    )
    await new Promise<void>((resolve) => everywhere.listen(0, '0.0.0.0', resolve))
    const { port } = everywhere.address() as AddressInfo
    const status = (host: string) =>
      new Promise((resolve, reject) => {
        request({ host, port, path: '/mail/', headers: { host: 'localhost', cookie } }, (res) =>
          resolve(res.resume().statusCode),
        )
          .on('error', reject)
          .end()
      })
    expect([await status('127.0.0.1'), await status(other.address)]).toEqual([200, 404])
    await new Promise((resolve) => everywhere.close(resolve))
  })

  test.each([
    ['no cookie', ''],
    ['a cookie from an earlier start', 'sightline_mail=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['an empty cookie', 'sightline_mail='],
  ])('are not shown to a browser with %s', async (_, other) => {
    for (const path of ['/mail/', '/mail/7.42', '/mail/?key=', '/mail/?key=guess', '/mail/7.42?key=guess']) {
      expect(await ask(path, { headers: { cookie: other } })).toMatchObject({ status: 404, text: 'not here' })
    }
  })

  test('open with a link that works once for one browser, and a new link follows', async () => {
    const links: string[] = []
    key.onNextLink((link) => links.push(link))
    const link = key.link()
    // Link previews, which only fetch an address, don't use it up.
    expect(await ask(link, { method: 'HEAD', headers: { cookie: '' } })).toMatchObject({ status: 404 })
    const came = await ask(link, { headers: { cookie: '' } })
    expect(came).toMatchObject({ status: 303, headers: { location: '/mail/', 'cache-control': 'no-store' } })
    expect(String(came.headers['set-cookie'])).toMatch(
      /^sightline_mail=[\w-]{43}; Path=\/mail\/; HttpOnly; SameSite=Strict$/,
    )
    expect(await ask(link, { headers: { cookie: '' } })).toMatchObject({ status: 404 })
    expect(links).toEqual([key.link()])
    expect(key.link()).not.toBe(link)
    expect(
      (await ask('/mail/', { headers: { cookie: String(came.headers['set-cookie']).split(';', 1)[0] ?? '' } })).status,
    ).toBe(200)
    expect((await ask('/mail/')).status).toBe(200)
  })

  test.each(['/mail/7.43', '/mail/..%2f..%2fsecrets.json', '/mail/../secrets', '/mail/7.42/other', '/mail/.'])(
    'don’t include %s',
    async (path) => {
      expect(await ask(path)).toMatchObject({ status: 404, text: expect.stringContaining('Email not found') })
    },
  )

  test('can only be read, and other paths go to the next handler', async () => {
    expect((await ask('/mail/', { method: 'POST' })).status).toBe(405)
    expect(await ask('/mail/', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
    expect(await ask('/mails')).toMatchObject({ text: 'not here' })
  })

  test('that can’t be read return an error, which is logged', async () => {
    const logged: string[] = []
    const log = createLogger({ level: 'info', format: 'json', name: 'x' }, { write: (line) => logged.push(line) })
    const broken: MailFolder = { ...folder, list: () => Promise.reject(new Error('no disk')) }
    const other = createServer(capturedMailPages({ folder: broken, key, log })((_, res) => void res.end()))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    expect((await fetch(`http://127.0.0.1:${port}/mail/`, { headers: { cookie } })).status).toBe(500)
    expect(logged.join('')).toContain('no disk')
    await new Promise((resolve) => other.close(resolve))
  })
})
