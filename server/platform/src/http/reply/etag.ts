import { hash } from 'node:crypto'

/** 128 bits of SHA-256 tell any two states of an object apart. */
const DIGITS = 22

/** What a reply is known by: the whole of it as text, before fields are chosen. */
export const fingerprint = (text: string): string => hash('sha256', text, 'base64url').slice(0, DIGITS)

/**
 * A strong ETag (RFC 9110 §8.8.3): the fingerprint of the whole object, then that of the choice of fields, because other
 * bytes need another tag. `If-Match` looks at the first part only: who read some fields may still change the object.
 */
export const computeEtag = (whole: string, choice: string | undefined): string =>
  choice === undefined ? `"${whole}"` : `"${whole}.${fingerprint(choice)}"`

const opaqueTags = (header: string): string[] => [...header.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag)

/** Whether the client has these bytes already (If-None-Match, weak comparison; RFC 9110 §13.1.2). */
export const isKnown = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' || opaqueTags(ifNoneMatch).includes(etag.slice(1, -1))

/**
 * Whether the object is one that If-Match names. A `W/` before the tag is looked over: proxies put it there when they
 * compress, and the fingerprint behind it is as exact as before.
 */
export const isNamed = (ifMatch: string, whole: string): boolean =>
  ifMatch.trim() === '*' || opaqueTags(ifMatch).some((tag) => tag.split('.', 1)[0] === whole)
