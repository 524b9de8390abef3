import { expect, it } from 'vitest'
import { type CookieJar, clientId, closeCookieBanner, cookieBannerClosed } from './cookies.ts'

const jar = (): CookieJar & { written: string[] } => {
  const written: string[] = []
  return {
    written,
    get cookie() {
      return written.map((text) => text.split('; ')[0]).join('; ')
    },
    set cookie(text: string) {
      written.push(text)
    },
  }
}

it('the client id is the application id and a hexadecimal number below 65536, kept for a year', () => {
  const cookies = jar()
  const value = clientId(cookies, 'account.v2', { path: '/', secure: true })
  expect(value).toMatch(/^account\.v2[0-9a-f]{1,4}$/)
  expect(cookies.written).toEqual([`account.v2.client=${value}; Max-Age=31536000; Path=/; SameSite=Strict; Secure`])
  expect(clientId(cookies, 'account.v2', { path: '/', secure: true })).toBe(value)
  expect(cookies.written).toHaveLength(1)
})

it('a closed cookie banner is remembered for a year', () => {
  const cookies = jar()
  expect(cookieBannerClosed(cookies)).toBe(false)
  closeCookieBanner(cookies, false)
  expect(cookieBannerClosed(cookies)).toBe(true)
  expect(cookies.written[0]).toBe('cookie-banner=closed; Max-Age=31536000; Path=/; SameSite=Strict')
})
