import { randomBytes } from 'node:crypto'
import { hash, hashRaw, verify } from '@node-rs/argon2'
import { createSemaphore } from '@sightline/platform/limits'
import { fail, type Result } from '@sightline/platform/result'

/** argon2id, 19 MiB, two passes, one lane (OWASP password storage, RFC 9106). */
export const PASSWORD_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
export type PasswordCost = Readonly<Record<keyof typeof PASSWORD_COST, number>>
/** Each takes 15 to 30 ms, so the last of these waits one to two seconds. */
const MAX_WAITING = 64

export interface Passwords {
  /** The password as it is stored, in PHC string format. */
  hash(password: string): Promise<Result<string, 'overloaded'>>
  /** Against nothing (`undefined`) it takes as long and is never right, so that unknown people cannot be told from known ones. */
  verify(stored: string | undefined, password: string): Promise<Result<boolean, 'overloaded'>>
  /** 32 bytes, always the same for the same text and salt, so that one of several codes is found by one hash. */
  derive(text: string, salt: Buffer): Promise<Result<Buffer, 'overloaded'>>
}

/**
 * One at a time, first come first served: anybody may send passwords, and each takes a processor for as long as it is checked.
 * The rest of the machine, and three of the four threads that files and name look-ups share with hashing, stay free for other calls.
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
