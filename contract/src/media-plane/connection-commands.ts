/** A way to reach a camera that isn't stored yet. */
export interface TriedConnection {
  readonly address: string
  /** Of ONVIF, or of RTSP for a camera without ONVIF; null: the known one, or the usual ones of another address. */
  readonly port: number | null
  readonly https: boolean
  readonly username: string | null
  /** Sealed as it would be stored, base64: the worker opens it, so that it is in no message in plain text. */
  readonly passwordSealed: string | null
  readonly allowBasic: boolean
}

/** Where a camera was found by a try. Certificates are SHA-256 in hex. */
export interface FoundConnection {
  readonly rtspPort: number
  readonly mainPath: string
  readonly subPath: string | null
  readonly isSecure: boolean
  /** Null for a camera without ONVIF. */
  readonly onvif: { readonly port: number; readonly isSecure: boolean; readonly certificate: string | null } | null
  /** Empty if the camera doesn't say. */
  readonly serial: string
}

/** The result of a test. `deviceOffline` is also the result for an address that isn't allowed. */
export type TriedConnectionAnswer =
  | { readonly kind: 'connected'; readonly found: FoundConnection }
  | { readonly kind: 'failed'; readonly reason: ConnectionFailure }

/** `needsBasic`: the camera knows only plain passwords, and the owner hasn't agreed to send one. */
export type ConnectionFailure = 'deviceOffline' | 'credentialsIncorrect' | 'needsBasic' | 'unusable' | 'timedOut'

/** Other credentials for a recorder at its stored address. Sealed as it would be stored, base64; null: no password. */
export interface TriedSignIn {
  readonly username: string | null
  readonly passwordSealed: string | null
}

export type TriedSignInAnswer =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'failed'; readonly reason: ConnectionFailure }

/** Another password for the user of a camera, set in the camera. Sealed as they are stored, base64; null: the empty one. */
export interface PasswordChange {
  readonly username: string
  readonly fromSealed: string | null
  readonly toSealed: string | null
}

export type PasswordChangeAnswer =
  | { readonly kind: 'changed' }
  | { readonly kind: 'refused'; readonly reason: PasswordDenyReason }

/** `userUnknown`: the camera doesn't list the user. `userFixed`: it doesn't let anybody change this one. */
export type PasswordDenyReason = 'tooWeak' | 'tooLong' | 'userUnknown' | 'userFixed'
