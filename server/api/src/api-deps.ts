import type { AuthPlane } from '@sightline/contract/auth-plane'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db, IdSource } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { type ServedRoute, withChangeDeps } from '@sightline/platform/http'
import type { RateLimit } from '@sightline/platform/limits'
import type { DeletionNotificationDeps } from './account-deletion/index.ts'
import type { ExportDesk } from './exports/index.ts'
import type { PushDeps } from './push-devices/index.ts'
import type { DownloadRules } from './resellers/brand-pictures/index.ts'
import type { SubUsersDeps } from './sub-users/index.ts'

export interface ApiDeps {
  readonly db: Db
  /** Where calls of devices write, which have no user and so no change. Set by {@link openSlices}. */
  readonly deviceDb: Db
  readonly ids: IdSource
  readonly auth: Pick<AuthPlane, 'verifyPassword' | 'confirmIdentity' | 'personalData' | 'listSupportSessions'> &
    SubUsersDeps['auth']
  readonly media: MediaPlane
  readonly encryption: EnvelopeEncryption
  /** How the API notifies people. */
  readonly telling: DeletionNotificationDeps
  readonly exportDesk: ExportDesk
  /** How push messages are sent. */
  readonly push: PushDeps
  /** The operator's folder with legal texts of brands; if omitted, only our templates. */
  readonly legalFolder?: string | undefined
  /** Whether there is a dedicated translation host, which enables the language `aa`. Default: no. */
  readonly isTranslated?: boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Limit of stream tickets per user; unlimited if omitted. */
  readonly streamTickets?: RateLimit | undefined
  /** The allowed sources of brand pictures; by default, the public internet. */
  readonly downloads?: DownloadRules | undefined
  /** `wss://host:port` of the media plane for a client that uses that host. */
  readonly mediaOrigin: (host: string) => string
  /** Whether streams are offered over WebRTC. */
  readonly servesWebRtc?: boolean | undefined
  /** `rtsp://host:port` for a client that uses that host; undefined if RTSP is off. */
  readonly rtspOrigin?: ((host: string) => string | undefined) | undefined
}

export type ApiSlice = (deps: ApiDeps) => readonly ServedRoute[]

/** The routes of the slices. Handlers read from a read-only database and write with `change`. */
export const openSlices = (slices: readonly ApiSlice[], given: Omit<ApiDeps, 'deviceDb'>): readonly ServedRoute[] => {
  const deps: ApiDeps = { ...given, deviceDb: given.db, db: { ...given.db, ...given.db.readOnly } }
  return withChangeDeps(
    slices.flatMap((slice) => slice(deps)),
    given,
  )
}
