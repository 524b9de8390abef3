import type { AuditGroup } from '@sightline/contract/audit-logs'
import { allRoutes } from '@sightline/contract/routes'
import type { Route } from '@sightline/contract/wire'

/** What is not called as a route is: signing in, watching, what the server does by itself. */
const otherActions: Readonly<Record<string, AuditGroup>> = {
  login: 'signIn',
  loginFailed: 'signIn',
  logout: 'signIn',
  tokenRevoked: 'signIn',
  passwordChanged: 'signIn',
  passwordReset: 'signIn',
  invitationAccepted: 'signIn',
  clientAllowed: 'signIn',
  live: 'video',
  play: 'video',
  auditExport: 'auditLog',
  firstPersonCreated: 'users',
}

/** Where a path is sorted into; the first that fits. */
const groupsOfPaths: readonly (readonly [RegExp, AuditGroup])[] = [
  [/\/tokens$|^users\/self\/status|support/i, 'support'],
  [/^users\/self\/(tokens|credentials|mfa)/, 'signIn'],
  [/^apiKeys|\/apiKeys/, 'apiKeys'],
  [/^(resellers|distributors|staff)/, 'dealer'],
  [/\/(streams|recordings|exports|snapshot)/, 'video'],
  [/^(cameras|devices)/, 'cameras'],
  [/^zones/, 'zones'],
  [/^(users|permissionProfiles)/, 'users'],
  [/^accounts/, 'account'],
  [/^auditLogs/, 'auditLog'],
]

const groupOfRoute = ({ path }: Route): AuditGroup =>
  groupsOfPaths.find(([pattern]) => pattern.test(path))?.[1] ?? 'other'

const groups: ReadonlyMap<string, AuditGroup> = new Map([
  ...Object.entries(otherActions),
  ...allRoutes
    .filter((route) => route.method !== 'GET')
    .map((route): [string, AuditGroup] => [route.name, groupOfRoute(route)]),
])

/** Lines outlive what wrote them, so there are actions that nothing knows any more. */
export const groupOf = (action: string): AuditGroup => groups.get(action) ?? 'other'

export const knownActions = [...groups].map(([action, group]) => ({ action, group }))
