import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, hashRaw, verify } from '@node-rs/argon2'
import type { Result } from '@sightline/platform/result'
import { limited } from './limited.ts'

/** argon2id, 19 MiB, two passes, one lane (OWASP password storage, RFC 9106). */
export const PASSWORD_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Each takes about 15 ms, so whoever waits behind these has waited about a second. */
const WAITING = 128

export interface Passwords {
  /** The password as it is stored, in PHC string format. */
  hash(password: string): Promise<Result<string, 'overloaded'>>
  /** Against nothing (`undefined`) it takes as long and is never right, so that unknown people cannot be told from known ones. */
  verify(stored: string | undefined, password: string): Promise<Result<boolean, 'overloaded'>>
  /** 32 bytes, always the same for the same text and salt, so that one of several codes is found by one hash. */
  derive(text: string, salt: Buffer): Promise<Result<Buffer, 'overloaded'>>
}

/** Hashing holds 19 MiB each, so at most twice as many run as there are cores (server.md §3). */
export async function openPasswords(): Promise<Passwords> {
  const run = limited({ running: 2 * availableParallelism(), waiting: WAITING })
  const nobody = await hash(randomBytes(32).toString('base64url'), PASSWORD_COST)
  return {
    hash: (password) => run(() => hash(password, PASSWORD_COST)),
    verify: (stored, password) =>
      run(async () => {
        const right = await verify(stored ?? nobody, password)
        return right && stored !== undefined
      }),
    derive: (text, salt) => run(() => hashRaw(text, { ...PASSWORD_COST, salt })),
  }
}
