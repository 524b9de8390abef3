import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type TestEdges, testEdges } from './edge-testing.ts'

let edges: TestEdges
beforeAll(async () => {
  edges = await testEdges()
})
afterAll(() => edges[Symbol.asyncDispose]())

describe('third-party scripts', () => {
  const tagManager = {
    trackingId: 'GTM-TEST1',
    auth: '',
    preview: '',
    script: 'https://tags.example/gtm.js',
    origins: ['https://*.counts.example'],
  }
  const translation = {
    host: 'blue.example',
    project: 'eye',
    script: 'https://cdn.tool.example/in-context.js',
    origins: ['https://tool.example'],
  }
  const openSite = async (site: Parameters<TestEdges['open']>[2]) => {
    const opened = await edges.open({ kind: 'off' }, 0, site)
    if (!opened.ok) throw new Error(opened.failure)
    return opened.value
  }
  const at = async (port: number, path: string, host = edges.ownHost) => {
    const { headers, body } = await ask(path, { port, headers: { host } })
    const text = body.toString()
    const policy = String(headers['content-security-policy'])
    const part = (name: string) => new RegExp(`(?:^|; )${name} ([^;]*)`).exec(policy)?.[1]
    return { policy, part, text, headers, nonce: /<script nonce="([^"]+)"/.exec(text)?.[1] }
  }

  test('a tag manager gets a nonce per reply on portal pages, and tags may send only to configured addresses', async () => {
    await using site = await openSite({ tagManager })
    const first = await at(site.port, '/details')
    expect(first.nonce).toMatch(/^[A-Za-z0-9+/]{24}$/)
    expect(first.part('script-src')).toBe(`'self' 'nonce-${first.nonce}'`)
    expect(first.part('connect-src')).toBe(`'self' ws://${edges.ownHost} https://tags.example https://*.counts.example`)
    expect(first.part('img-src')).toBe("'self' data: blob: https://tags.example https://*.counts.example")
    expect(first.part('style-src')).toBe("'self'")
    expect(first.policy).toContain("require-trusted-types-for 'script'")
    // A cached page would have another nonce than the policy of its reply.
    expect(first.headers.etag).toBeUndefined()
    expect((await at(site.port, '/details')).nonce).not.toBe(first.nonce)
    expect(JSON.parse((await at(site.port, '/config.json')).text)['tag-manager']).toEqual({
      enabled: true,
      'tracking-id': 'GTM-TEST1',
      gtm_auth: '',
      gtm_preview: '',
      script: 'https://tags.example/gtm.js',
    })
  })
  test.each([
    '/settings/details',
    '/settings',
    '/app/',
    '/dealer/',
    '/oauth/authorize',
    '/rest/v2.4/x',
    '/config.json',
  ])('a tag manager changes nothing at %s', async (path) => {
    await using site = await openSite({ tagManager })
    const { policy, nonce } = await at(site.port, path)
    expect(policy).toBe((await at(edges.edge.port, path)).policy)
    expect(nonce).toBeUndefined()
  })
  test('the translation tool works on its own host and nowhere else', async () => {
    await using site = await openSite({ translation })
    const there = await at(site.port, '/', 'blue.example')
    expect(there.part('script-src')).toBe(`'self' 'nonce-${there.nonce}' https://cdn.tool.example https://tool.example`)
    expect(there.part('frame-src')).toBe('https://cdn.tool.example https://tool.example')
    expect(there.part('style-src')).toBe("'self' 'unsafe-inline' https://cdn.tool.example https://tool.example")
    const config = async (host: string) => JSON.parse((await at(site.port, '/config.json', host)).text)
    expect(await config('blue.example')).toMatchObject({
      crowdinIntegration: true,
      translation: { project: 'eye', script: 'https://cdn.tool.example/in-context.js', texts: '/translation/aa.json' },
    })
    for (const [path, host] of [
      ['/', edges.ownHost],
      ['/settings/details', 'blue.example'],
      ['/app/', 'blue.example'],
    ] as const) {
      expect((await at(site.port, path, host)).policy).toBe((await at(edges.edge.port, path, host)).policy)
    }
    expect(await config(edges.ownHost)).toMatchObject({ crowdinIntegration: false, translation: null })
  })
  test('translation markers are served only on that host, from the operator’s file, and are empty without one', async () => {
    const file = join(edges.webRoot, 'aa.json')
    await using site = await openSite({ translation, translationTexts: file })
    const marks = async (host: string) => {
      const { status, body } = await ask('/translation/aa.json', { port: site.port, headers: { host } })
      return [status, JSON.parse(body.toString())]
    }
    expect(await marks('blue.example')).toEqual([200, {}])
    await writeFile(file, '{"Save":"crwdns1:0Savecrwdne1:0"}')
    expect(await marks('blue.example')).toEqual([200, { Save: 'crwdns1:0Savecrwdne1:0' }])
    expect(await marks(edges.ownHost)).toEqual([404, {}])
  })
  test('only pages that the operator names may show pages below /settings/ in a frame, and no other page can be framed', async () => {
    await using site = await openSite({ embeddedBy: ['https://desktop.example'] })
    const embedded = await at(site.port, '/settings/details')
    expect(embedded.part('frame-ancestors')).toBe('https://desktop.example')
    expect(embedded.headers['x-frame-options']).toBeUndefined()
    for (const path of ['/details', '/settings', '/app/']) {
      expect(await at(site.port, path)).toMatchObject({ headers: { 'x-frame-options': 'DENY' } })
      expect((await at(site.port, path)).part('frame-ancestors')).toBe("'none'")
    }
  })
})
