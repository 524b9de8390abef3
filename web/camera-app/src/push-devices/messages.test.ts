import { describe, expect, test } from 'vitest'
import { loadPicture, pageToOpen, readPayload } from './messages.ts'

const origin = 'https://video.example'

describe('a push message', () => {
  const payload = { title: 'Door is offline', body: 'since 9', path: '/app/cameras/7', tag: 'camera-7', language: 'en' }

  test('is shown unchanged', () => {
    expect(readPayload(JSON.stringify(payload))).toEqual(payload)
  })

  test.each([undefined, '', 'no JSON', 'null', '{}', JSON.stringify({ ...payload, title: 7 })])(
    'that is unreadable (%s) becomes one that opens the application',
    (text) => {
      expect(readPayload(text)).toMatchObject({ path: '/app/', tag: 'message' })
    },
  )
})

test.each([
  ['/app/cameras/7', 'https://video.example/app/cameras/7'],
  ['https://evil.example/', 'https://video.example/app/'],
  ['//evil.example/', 'https://video.example/app/'],
  ['javascript:alert(1)', 'https://video.example/app/'],
  [undefined, 'https://video.example/app/'],
])('%s opens %s', (path, page) => {
  expect(pageToOpen(path, origin)).toBe(page)
})

describe('the picture of a push message', () => {
  const message = { title: 'Motion', body: '', path: '/app/', tag: 'motion-7', language: 'en', pictureToken: '7-8-x' }
  const requests: (readonly [string, string | null])[] = []
  const ask =
    (reply: () => Response): typeof fetch =>
    async (address, init) => {
      const url = String(address)
      requests.push([url, new Headers(init?.headers).get('authorization')])
      return url === '/config.json' ? Response.json({ apiServer: 'https://api.example/rest/v2.4/' }) : reply()
    }
  const jpeg = () => new Response(new Uint8Array([255, 216, 1]), { headers: { 'content-type': 'image/jpeg' } })

  test('is fetched with the token in a header, never in the address', async () => {
    requests.length = 0
    expect(await loadPicture(message, { ask: ask(jpeg), waitMs: 1000 })).toBe('data:image/jpeg;base64,/9gB')
    expect(requests.at(-1)).toEqual(['https://api.example/rest/v2.4/pushPicture', 'Bearer 7-8-x'])
  })

  test.each([
    ['was refused', () => Response.json({ code: 4 }, { status: 404 })],
    ['is no JPEG', () => new Response('<svg/>', { headers: { 'content-type': 'image/svg+xml' } })],
    [
      'cannot be reached',
      () => {
        throw new Error('network')
      },
    ],
  ])('that %s leaves the message as it is', async (_, reply) => {
    expect(await loadPicture(message, { ask: ask(reply), waitMs: 1000 })).toBeUndefined()
  })

  test('is not asked for without a token', async () => {
    requests.length = 0
    expect(await loadPicture({ ...message, pictureToken: undefined }, { ask: ask(jpeg), waitMs: 1000 })).toBeUndefined()
    expect(requests).toEqual([])
  })
})
