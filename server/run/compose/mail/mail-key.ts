import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { readCookie } from '@sightline/platform/cookies'

export const MAIL_PATH = '/mail/'

const COOKIE = 'sightline_mail'
/** Maximum admitted browsers; a new one displaces the oldest. */
const MAX_BROWSERS = 20

/** Lets a browser in by a link that works once. */
export interface MailKey {
  /** Path of the link that works now. Printed and never stored. */
  link(): string
  /** Called with the next link once one was used. */
  onNextLink(print: (link: string) => void): void
  /** The value of `Set-Cookie` for a request that brings the key; it ends the key. */
  exchange(req: IncomingMessage): string | undefined
  /** Whether the request brings the cookie of an exchange. */
  isLetIn(req: IncomingMessage): boolean
}

const newSecret = (): string => randomBytes(32).toString('base64url')
/** Compared instead of the secret, so that timing reveals nothing about it. */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** In memory only: a restart ends all access and prints a new link. */
export function mailKey(): MailKey {
  let key = newSecret()
  let print: (link: string) => void = () => undefined
  const cookies = new Set<string>()
  const link = () => `${MAIL_PATH}?key=${key}`
  return {
    link,
    onNextLink: (printer) => {
      print = printer
    },
    exchange(req) {
      const given = new URLSearchParams((req.url ?? '').split('?')[1] ?? '').get('key')
      if (given === null || hashOf(given) !== hashOf(key)) return undefined
      key = newSecret()
      const cookie = newSecret()
      for (const first of cookies) {
        if (cookies.size < MAX_BROWSERS) break
        cookies.delete(first)
      }
      cookies.add(hashOf(cookie))
      print(link())
      return `${COOKIE}=${cookie}; Path=${MAIL_PATH}; HttpOnly; SameSite=Strict`
    },
    isLetIn: (req) => cookies.has(hashOf(readCookie(req, COOKIE) ?? '')),
  }
}
