import type { Route } from '@sightline/contract/wire'

/** Calls that need no token: reference lists, the API description and a brand's theme (api.md §21, §22), and those of devices. */
const OPEN = [
  'registerBodyCamera',
  'postBodyCameraPositions',
  'getPushPicture',
  'getTimeZones',
  'getCountries',
  'getLanguages',
  'getDeviceTypes',
  'getOpenApi',
  'getTheme',
  'verifyExportHash',
  'openPublicShare',
]

/** Calls about the caller or their own account that need no right: api.md §4 "any", §5 "any user of the account". */
const EVERYBODYS = [
  'getUser',
  'patchUser',
  'getFeatureFlags',
  'getOwnRights',
  'getUserDetails',
  'getAgreement',
  'acceptAgreement',
  'getPreferences',
  'patchPreferences',
  'getDeletion',
  'requestDeletion',
  'cancelDeletion',
  'getPersonalData',
  'downloadPersonalData',
  'patchUserDetails',
  'explainOwnAccess',
  'checkCredentials',
  'patchCredentials',
  'getMfa',
  'patchMfa',
  'getPasskeys',
  'confirmByPasskey',
  'beginPasskey',
  'postPasskey',
  'patchPasskeys',
  'patchPasskey',
  'deletePasskey',
  'renewRecoveryCodes',
  'getConnectedApps',
  'deleteConnectedApp',
  'getTokens',
  'deleteCurrentToken',
  'deleteToken',
  'postSession',
  'getSessions',
  'deleteSession',
  'getSignIns',
  'getLockdown',
  'postLockdown',
  'getOwnStaff',
  'getTimeZone',
  'getAccount',
  'getCurrentSubscription',
  'getSupportAccess',
  'getOwnSupportSession',
  // Staff of every kind can see their own reseller.
  'getReseller',
]

/** Names that look like ids but refer to none of our objects; `channelId` is the number of an input within its device, and the hash opens an `exportNumber`. */
const FOREIGN_IDS = ['zohoId', 'clientId', 'presetId', 'portId', 'channelId', 'edgeStorageId', 'exportNumber']

/** The declarations that a route lacks, as phrases; empty if it is complete (security.md §3). */
export function listUndeclared(route: Route): readonly string[] {
  return [...unsaidAboutIds(route), ...unsaidAboutCallers(route)]
}

function unsaidAboutIds({ ids, path, params, query, body }: Route): string[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `params.${name}`)
  const named = [
    ...inPath,
    ...listFields(query).map((name) => `query.${name}`),
    ...listFields(body).map((name) => `body.${name}`),
  ].filter((place) => /Ids?$/.test(place) && !FOREIGN_IDS.includes(place.split('.')[1] ?? ''))
  const unsaid = named.filter((place) => ids[place] === undefined).map((place) => `what ${place} refers to`)
  const known = new Set([...inPath, ...listFields(params).map((name) => `params.${name}`), ...named])
  const nothing = Object.keys(ids).filter((place) => !known.has(place))
  return [...unsaid, ...nothing.map((place) => `where ${place} is: it has no such field`)]
}

function unsaidAboutCallers(route: Route): string[] {
  const { name, access, callers, support, right, superUserOnly, permission, level } = route
  if (access === 'public') return OPEN.includes(name) ? [] : ['why anyone may call it']
  const unsaid: string[] = []
  if (!['yes', 'no', 'blurred', 'video'].includes(support)) unsaid.push('whether a support session may call it')
  if (!['members', 'staff', 'both'].includes(callers)) unsaid.push('who may call it')
  if (EVERYBODYS.includes(name)) return unsaid
  const isMembers = right !== undefined || superUserOnly === true
  const isStaffs = permission !== undefined || level !== undefined
  if (callers !== 'staff' && !isMembers) unsaid.push('which right of a member it needs')
  if (callers !== 'members' && !isStaffs) unsaid.push('which permission or level of staff it needs')
  return unsaid
}

interface Definition {
  readonly shape?: Readonly<Record<string, unknown>>
  readonly innerType?: Route['body']
}

/** Field names of an object schema, also of an optional one. */
export function listFields(schema: Route['body']): readonly string[] {
  const { shape, innerType } = schema._zod.def as unknown as Definition
  if (shape !== undefined) return Object.keys(shape)
  return innerType === undefined ? [] : listFields(innerType)
}
