import { describe, expect, test } from 'vitest'
import { pageToOpen, readPayload } from './messages.ts'

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
