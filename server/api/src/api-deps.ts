import type { AuthPlane } from '@sightline/contract/auth-plane'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db, IdSource } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { type ServedRoute, withChangeDeps } from '@sightline/platform/http'
import type { RateLimit } from '@sightline/platform/limits'
import type { DeletionNotificationDeps } from './account-deletion/index.ts'
import type { PushDeps } from './push-devices/index.ts'
import type { DownloadRules } from './resellers/brand-pictures/index.ts'
import type { SubUsersDeps } from './sub-users/index.ts'

export interface ApiDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly auth: Pick<AuthPlane, 'verifyPassword' | 'confirmIdentity' | 'personalData'> & SubUsersDeps['auth']
  readonly media: MediaPlane
  readonly encryption: EnvelopeEncryption
  /** How people are told of what this plane does with them. */
  readonly telling: DeletionNotificationDeps
  /** How browsers are written to. */
  readonly push: PushDeps
  /** Where the operator keeps the legal texts of brands; our templates alone where left out. */
  readonly legalFolder?: string | undefined
  /** Whether the operator set a host aside for translating in the page; only then there is language `aa`. Left out is no. */
  readonly isTranslated?: boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Stream tickets that one person may get; left out is without end. */
  readonly streamTickets?: RateLimit | undefined
  /** From where brands' pictures are downloaded; the public internet where left out. */
  readonly downloads?: DownloadRules | undefined
  /** `wss://host:port` of the media plane for a client that asked under that host. */
  readonly mediaOrigin: (host: string) => string
}

export type ApiSlice = (deps: ApiDeps) => readonly ServedRoute[]

/** The routes of slices. Their handlers read from a database that takes no change; what they write goes through `change`. */
export const openSlices = (slices: readonly ApiSlice[], given: ApiDeps): readonly ServedRoute[] => {
  const deps: ApiDeps = { ...given, db: { ...given.db, ...given.db.readOnly } }
  return withChangeDeps(
    slices.flatMap((slice) => slice(deps)),
    given,
  )
}
