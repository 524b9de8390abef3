import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const BYTES = 6

/**
 * The 3,000 most used passwords that our rules would allow (8-32 characters, lower case), in the order of the list of
 * `@zxcvbn-ts/language-common` 4.1.3 (MIT, from leaked collections). Stored as the first 48 bits of each SHA-256, one
 * per line, so that they aren't readable; the chance of a false match is one in 10^11.
 */
const known: ReadonlySet<string> = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n'),
)

/** Is it one of the most used, in any mixture of capitals? (decision 6) */
export const isCommonPassword = (password: string): boolean =>
  known.has(createHash('sha256').update(password.toLowerCase()).digest().subarray(0, BYTES).toString('base64url'))
