import type { CameraUser, SettableLevel } from '../camera-users/index.ts'

/** A user as the camera lists it. */
export type ListedUser = Omit<CameraUser, 'usedByServer'>

/** Passwords are sealed as the camera's own is stored, base64: the worker opens them, so that they are in no message in plain text. */
export type CameraUserChange =
  | {
      readonly kind: 'add'
      readonly username: string
      readonly passwordSealed: string
      readonly level: SettableLevel
    }
  /** Null: stays as it is. */
  | {
      readonly kind: 'set'
      readonly username: string
      readonly passwordSealed: string | null
      readonly level: SettableLevel | null
    }
  | { readonly kind: 'remove'; readonly username: string }

export type CameraUserChangeAnswer =
  /**
   * Read from the camera afterwards. `passwordIgnored`: the camera answered that it has the new password, and doesn't take it; the old
   * one may still work.
   */
  | { readonly kind: 'changed'; readonly users: readonly ListedUser[]; readonly passwordIgnored?: boolean }
  | { readonly kind: 'refused'; readonly reason: UserDenyReason }

/** `userFixed`: the camera lets nobody change or remove this one. */
export type UserDenyReason =
  | 'passwordTooWeak'
  | 'passwordTooLong'
  | 'usernameInvalid'
  | 'usernameTaken'
  | 'tooManyUsers'
  | 'userUnknown'
  | 'userFixed'
