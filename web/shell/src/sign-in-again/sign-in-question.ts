import type { UserBase } from '@sightline/contract/users'

/** The user has to sign in in a separate window before their input can be saved. */
export interface SignInQuestion {
  readonly dead: string | undefined
  /** The user who was signed in. */
  readonly person: UserBase | undefined
  /** The user of the new token. */
  readonly check: (token: string) => Promise<UserBase | undefined>
}

let open: { readonly question: SignInQuestion; readonly answer: (isSignedIn: boolean) => void } | undefined
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

/** The open question, if any, and its answer. */
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
