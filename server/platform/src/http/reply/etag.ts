import { hash } from 'node:crypto'

/** 128 bits of SHA-256 distinguish any two versions of an object. */
const DIGITS = 22

/** The fingerprint of a reply: of its whole text, before fields are selected. */
export const fingerprint = (text: string): string => hash('sha256', text, 'base64url').slice(0, DIGITS)

/**
 * A strong ETag (RFC 9110 §8.8.3): the fingerprint of the whole object, then that of the field selection, because other
 * bytes need another tag. `If-Match` compares the first part only: a client that read some fields can still change the
 * object.
 */
export const computeEtag = (whole: string, choice: string | undefined): string =>
  choice === undefined ? `"${whole}"` : `"${whole}.${fingerprint(choice)}"`

const opaqueTags = (header: string): string[] => [...header.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag)

/** Whether the client already has these bytes (If-None-Match, weak comparison; RFC 9110 §13.1.2). */
export const isKnown = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' || opaqueTags(ifNoneMatch).includes(etag.slice(1, -1))

/**
 * Whether If-Match names the object. A `W/` before the tag is ignored: compressing proxies add it, and the fingerprint
 * after it is still exact.
 */
export const isNamed = (ifMatch: string, whole: string): boolean =>
  ifMatch.trim() === '*' || opaqueTags(ifMatch).some((tag) => tag.split('.', 1)[0] === whole)
