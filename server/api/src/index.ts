import type { AuthPlane } from '@sightline/contract/auth-plane'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db, IdSource } from '@sightline/platform/db'
import { confirmCaller, forCalls, type Served } from '@sightline/platform/http'
import type { RateLimit } from '@sightline/platform/limits'
import type { Sealing } from '@sightline/platform/sealing'
import { accountDeletion, type TellingParts } from './account-deletion/index.ts'
import { accounts } from './accounts/index.ts'
import { agreements } from './agreements/index.ts'
import { auditLogs } from './audit-logs/index.ts'
import { cameraLogs } from './camera-logs/index.ts'
import { cameraMaintenance } from './camera-maintenance/index.ts'
import { cameras } from './cameras/index.ts'
import { distributors } from './distributors/index.ts'
import { explanations } from './explanations/index.ts'
import { insights } from './insights/index.ts'
import { notificationSettings } from './notification-settings/index.ts'
import { openApi } from './openapi/index.ts'
import { permissionProfiles } from './permission-profiles/index.ts'
import { personalData } from './personal-data/index.ts'
import { preferences } from './preferences/index.ts'
import { type PushParts, pushDevices } from './push-devices/index.ts'
import { recordings } from './recordings/index.ts'
import { referenceLists } from './reference-lists/index.ts'
import { reports } from './reports/index.ts'
import { resellerAccounts } from './reseller-accounts/index.ts'
import { resellers } from './resellers/index.ts'
import { staff } from './staff/index.ts'
import { storageUsage } from './storage-usage/index.ts'
import { streams } from './streams/index.ts'
import { type PeopleParts, subUsers } from './sub-users/index.ts'
import { subscriptions } from './subscriptions/index.ts'
import { supportAccess } from './support-access/index.ts'
import { userDetails } from './user-details/index.ts'
import { users } from './users/index.ts'
import { zones } from './zones/index.ts'

export { deletionTasks, erasureTasks } from './account-deletion/index.ts'
export { alertTasks, pushQueue, pushTasks } from './camera-alerts/index.ts'
export type { PushParts } from './push-devices/index.ts'
export { reportTasks } from './reports/index.ts'
export { subscriptionTasks } from './subscriptions/index.ts'

export interface ApiParts {
  readonly db: Db
  readonly ids: IdSource
  readonly auth: Pick<AuthPlane, 'verifyPassword' | 'confirmPerson' | 'personalData' | 'askForNewEmail'> &
    PeopleParts['auth']
  readonly media: MediaPlane
  readonly sealing: Sealing
  /** How people are told of what this plane does with them. */
  readonly telling: TellingParts
  /** How browsers are written to. */
  readonly push: PushParts
  /** Where the operator keeps the legal texts of brands; our templates alone where left out. */
  readonly legalFolder?: string | undefined
  /** Whether the operator set a host aside for translating in the page; only then there is language `aa`. Left out is no. */
  readonly isTranslated?: boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Stream tickets that one person may get; left out is without end. */
  readonly streamTickets?: RateLimit | undefined
  /** `wss://host:port` of the media plane for a client that asked under that host. */
  readonly mediaOrigin: (host: string) => string
}

/** Every slice of the REST API, each on a database that keeps no change of somebody who may not make it any more. */
export const apiRoutes = (given: ApiParts): readonly Served[] => {
  const parts: ApiParts = { ...given, db: forCalls(given.db), auth: mailingLast(given) }
  return [
    ...users(parts),
    ...userDetails(parts),
    ...accounts(parts),
    ...accountDeletion(parts),
    ...agreements(parts),
    ...referenceLists(parts),
    ...cameras(parts),
    ...cameraLogs(parts),
    ...cameraMaintenance(parts),
    ...streams(parts),
    ...recordings(parts),
    ...storageUsage(parts),
    ...zones(parts),
    ...permissionProfiles(parts),
    ...personalData(parts),
    ...subUsers(parts),
    ...explanations(parts),
    ...auditLogs(parts),
    ...notificationSettings(parts),
    ...preferences(parts),
    ...pushDevices(parts),
    ...supportAccess(parts),
    ...subscriptions(parts),
    ...distributors(parts),
    ...resellers(parts),
    ...resellerAccounts(parts),
    ...staff(parts),
    ...insights(parts),
    ...reports(parts),
    ...openApi,
  ]
}

/** A mail is not taken back with the transaction that asked for it, so whoever calls is looked at once more before it. */
function mailingLast({ auth, db }: Pick<ApiParts, 'auth' | 'db'>): ApiParts['auth'] {
  const confirmed =
    <Mail>(send: (mail: Mail) => Promise<void>) =>
    async (mail: Mail): Promise<void> => {
      await confirmCaller(db)
      await send(mail)
    }
  return {
    ...auth,
    invite: confirmed((mail) => auth.invite(mail)),
    sendPasswordReset: confirmed((mail) => auth.sendPasswordReset(mail)),
    askForNewEmail: confirmed((mail) => auth.askForNewEmail(mail)),
    tellOfNewEmail: confirmed((mail) => auth.tellOfNewEmail(mail)),
  }
}
