import { randomBytes } from 'node:crypto'
import { hash, hashRaw, verify } from '@node-rs/argon2'
import { createSemaphore } from '@sightline/platform/limits'
import { fail, type Result } from '@sightline/platform/result'

/** argon2id, 19 MiB, two passes, one lane (OWASP password storage, RFC 9106). */
export const PASSWORD_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
export type PasswordCost = Readonly<Record<keyof typeof PASSWORD_COST, number>>
/** Each takes 15 to 30 ms, so the last in the queue waits one to two seconds. */
const MAX_WAITING = 64

export interface Passwords {
  /** The password hash in PHC string format. */
  hash(password: string): Promise<Result<string, 'overloaded'>>
  /** With no hash (`undefined`) it takes as long and is never right, so that timing doesn't reveal unknown users. */
  verify(stored: string | undefined, password: string): Promise<Result<boolean, 'overloaded'>>
  /** 32 bytes, always the same for the same text and salt, so that one of several codes is found by one hash. */
  derive(text: string, salt: Buffer): Promise<Result<Buffer, 'overloaded'>>
}

/**
 * One at a time, in order: anyone can send passwords, and each check occupies a core. The other cores, and three of the
 * four threads that hashing shares with file and DNS access, stay free for other calls.
 */
export async function openPasswords(cost: PasswordCost = PASSWORD_COST): Promise<Passwords> {
  const { run: runLimited } = createSemaphore<'password'>({ overall: { concurrency: 1, queue: MAX_WAITING } })
  const run = async <T>(work: () => Promise<T>): Promise<Result<T, 'overloaded'>> => {
    const done = await runLimited('password', work)
    return done.ok ? done : fail('overloaded')
  }
  const nobody = await hash(randomBytes(32).toString('base64url'), cost)
  return {
    hash: (password) => run(() => hash(password, cost)),
    verify: (stored, password) =>
      run(async () => {
        const right = await verify(stored ?? nobody, password)
        return right && stored !== undefined
      }),
    derive: (text, salt) => run(() => hashRaw(text, { ...cost, salt })),
  }
}
