import { expect, test } from 'vitest'
import { pictureOrigins } from './index.ts'

const originsOf = (logo: string | null, favicon: string | null = null) => pictureOrigins({ logo, favicon })

test('pictures of this host and embedded ones need no origin', () => {
  expect(originsOf('/logo.png', 'data:image/png;base64,AA')).toEqual([])
  expect(originsOf(null)).toEqual([])
})

test('each origin is named once, with its port where that is not the standard one', () => {
  expect(originsOf('https://a.example/1.png', 'https://A.example:443/2.png')).toEqual(['https://a.example'])
  expect(originsOf('https://a.example:8443/1.png')).toEqual(['https://a.example:8443'])
})

test.each([
  'https://*/logo.png',
  'https://*.example/logo.png',
  'https://a.example;sandbox/logo.png',
  'https://a.example,b.example/logo.png',
  'https://%%%/logo.png',
  'https://',
  'https://[::1/logo.png',
])('%s names no origin: a policy would read it otherwise', (logo) => expect(originsOf(logo)).toEqual([]))
