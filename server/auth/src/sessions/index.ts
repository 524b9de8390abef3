import type { Db, Tx } from '@sightline/platform/db'
import {
  deleteGrantRows,
  deleteSignInRows,
  deleteTokenRows,
  deleteUserRows,
  ownerOfToken,
  sweep,
  type TokenOwner,
} from './store.ts'

/** What ended, so that open streams and cached answers are dropped. */
export interface Revocation {
  readonly userId?: number
  readonly tokenSha256?: Buffer
}
export interface EndResult<T> {
  readonly value: T
  readonly ended: readonly Buffer[]
}
export { sessionCalls } from './calls.ts'
export { deleteClientTokens, deleteUserClientTokens } from './clients-store.ts'
export { isShared } from './shared-user.ts'
export type { TokenOwner } from './store.ts'
export { findSignInTime, keepSession, liveSessions, type SessionBasis } from './user-sessions-store.ts'

export type OnRevoked = (revocation: Revocation) => void

export interface Sessions {
  /** The user of that token. */
  ownerOf(hash: Buffer): Promise<TokenOwner | undefined>
  /** Ends the token and its whole grant; false if it doesn't exist. */
  endToken(hash: Buffer): Promise<boolean>
  /** Everything that one authorization gave out. */
  endGrant(grantId: string): Promise<void>
  /** One browser's sign-in with every token that came from it. */
  endSignIn(sessionUid: string): Promise<void>
  /** Every token and sign-in of a user, except that token. */
  endUser(userId: number, exceptTokenId?: number): Promise<void>
  /** The same in one transaction after `reason`; if that returns false, nothing ends. */
  endUserWith(reason: (tx: Tx) => Promise<boolean>, userId: number, exceptTokenId?: number): Promise<boolean>
  /** As {@link endUserWith}, with what follows once they are ended, still in that transaction. */
  endUserBetween(
    work: { readonly before: (tx: Tx) => Promise<boolean>; readonly after: (tx: Tx) => Promise<void> },
    userId: number,
  ): Promise<boolean>
  /** A change in one transaction with the end of the tokens that depended on it; returns their hashes. */
  endWith<T>(change: (tx: Tx) => Promise<EndResult<T>>): Promise<T>
  /** Deletes expired rows. Returns their number. */
  sweep(): Promise<number>
}

export interface SessionDeps {
  readonly db: Db
  readonly onRevoked: OnRevoked
  /** Ends links from emails that are valid only as long as the sign-ins. */
  readonly endLinks: (tx: Tx, userId: number) => Promise<void>
}

/** Ends tokens and sign-ins; each change is one transaction, announced after it is durable. */
export function sessions({ db, onRevoked, endLinks }: SessionDeps): Sessions {
  const endAll = async (tx: Tx, userId: number, exceptTokenId?: number): Promise<void> => {
    // Lock order as when setting a password by a link (docs/decisions/0054).
    await endLinks(tx, userId)
    await deleteUserRows(tx, userId, exceptTokenId)
  }
  const tell = (ended: readonly Buffer[]): void => {
    for (const tokenSha256 of ended) onRevoked({ tokenSha256 })
  }
  return {
    ownerOf: (hash) => ownerOfToken(db, hash),
    async endToken(hash) {
      const ended = await db.transaction((tx) => deleteTokenRows(tx, hash))
      tell(ended ?? [])
      return ended !== undefined
    },
    async endGrant(grantId) {
      tell(await db.transaction((tx) => deleteGrantRows(tx, grantId)))
    },
    async endSignIn(sessionUid) {
      tell(await db.transaction((tx) => deleteSignInRows(tx, sessionUid)))
    },
    async endUser(userId, exceptTokenId) {
      await db.transaction((tx) => endAll(tx, userId, exceptTokenId))
      onRevoked({ userId })
    },
    async endUserWith(reason, userId, exceptTokenId) {
      const isEnded = await db.transaction(async (tx) => {
        if (!(await reason(tx))) return false
        await endAll(tx, userId, exceptTokenId)
        return true
      })
      if (isEnded) onRevoked({ userId })
      return isEnded
    },
    async endUserBetween({ before, after }, userId) {
      const isEnded = await db.transaction(async (tx) => {
        if (!(await before(tx))) return false
        await endAll(tx, userId)
        await after(tx)
        return true
      })
      if (isEnded) onRevoked({ userId })
      return isEnded
    },
    async endWith(change) {
      const { value, ended } = await db.transaction(change)
      tell(ended)
      return value
    },
    sweep: () => sweep(db),
  }
}
