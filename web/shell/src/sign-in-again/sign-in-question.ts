import type { UserBase } from '@sightline/contract/users'

/** Somebody has to sign in beside the page before what they typed can be saved. */
export interface SignInQuestion {
  readonly dead: string | undefined
  /** Who was signed in. */
  readonly person: UserBase | undefined
  /** Whose token it is. */
  readonly check: (token: string) => Promise<UserBase | undefined>
}

let open: { readonly question: SignInQuestion; readonly answer: (isSignedIn: boolean) => void } | undefined
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

/** The one question that is open, and its answer. */
export const signInQuestion = {
  current: (): SignInQuestion | undefined => open?.question,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  ask: (question: SignInQuestion): Promise<boolean> =>
    new Promise((resolve) => {
      open = {
        question,
        answer: (isSignedIn) => {
          open = undefined
          tell()
          resolve(isSignedIn)
        },
      }
      tell()
    }),
  answer(isSignedIn: boolean): void {
    open?.answer(isSignedIn)
  },
}
