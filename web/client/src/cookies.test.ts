import { expect, it } from 'vitest'
import { clientId, closeCookieBanner, cookieBannerClosed, type PageJar, readCookie } from './cookies.ts'

const jar = (protocol = 'https:'): PageJar & { written: string[] } => {
  const written: string[] = []
  return {
    location: { protocol },
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

it('an unreadable cookie from other software counts as none', () => {
  const cookies = jar()
  cookies.cookie = 'sightline.language=100%'
  expect(readCookie(cookies, 'sightline.language')).toBeUndefined()
})

it('a closed cookie banner is remembered for a year', () => {
  const cookies = jar('http:')
  expect(cookieBannerClosed(cookies)).toBe(false)
  closeCookieBanner(cookies)
  expect(cookieBannerClosed(cookies)).toBe(true)
  expect(cookies.written[0]).toBe('cookie-banner=closed; Max-Age=31536000; Path=/; SameSite=Strict')
})
