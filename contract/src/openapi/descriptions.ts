import type { Route } from '../wire/index.ts'

/** The subject of a tag: the first part of its paths. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  accounts: 'The caller’s account and what belongs to it.',
  apiKeys: 'Keys for programs that call the API, with their scopes and allowed addresses.',
  auditLogs: 'Who did what and when.',
  authorizedClients: 'Third-party apps that a user has authorized, and revoking their access.',
  bodyCameras: 'Body-worn cameras: how they are set up, and where they were.',
  cameraGroups: 'Named sets of cameras of any zones.',
  cameraTransfers: 'Cameras that an account offers to another one.',
  cameras: 'Cameras, their status, snapshots, streams and recordings.',
  countries: 'Countries by ISO 3166-1 code.',
  device: 'The specification’s path of one call about recorders.',
  devices: 'Recorders with their inputs, jobs and logs, and what cameras and recorders have in common.',
  deviceTypes: 'Types of devices that this server can drive.',
  distributors: 'Distributors, their resellers and their staff.',
  exports: 'Files of footage that are made in the background, and their downloads.',
  exportOptions: 'What can be added to the pictures of exports, and whether their sound can be encoded.',
  events: 'What happened at cameras, and events that your own systems add.',
  jobs: 'Background jobs: list, retry and discard them.',
  layouts: 'Which camera is where when several are watched.',
  languages: 'Languages of the apps.',
  'openapi.json': 'This document.',
  pushPicture: 'Pictures of push notifications, for the browsers that show them.',
  permissionProfiles: 'Named sets of rights for sub-users.',
  provider: 'Administrators of the installation.',
  recordings: 'What was recorded when, for several cameras at once.',
  reportSchedules: 'Reports that are created regularly.',
  reports: 'Reports about cameras, storage and activity.',
  sequences: 'Cameras that are shown one after another.',
  sharedFootage: 'What someone sees who opens a link to footage.',
  shares: 'Links to footage, for people who have no access to the camera.',
  resellers: 'Resellers, their brand, staff, packages and accounts.',
  themes: 'Logo, colors and links of a brand, by host.',
  timeZones: 'Time zones by IANA name.',
  users: 'The signed-in user and the other users of the account.',
  zones: 'Locations with cameras.',
}

/** The meaning of a path or query parameter, with an example. */
interface ParameterText {
  readonly description: string
  readonly example: string | number
}

const id = (what: string, example: number): ParameterText => ({ description: `Id of the ${what}`, example })

const parameters: Readonly<Record<string, ParameterText>> = {
  accountId: id('account', 20_417),
  apiKeyId: id('API key', 51_208),
  cameraId: id('camera', 30_012),
  channelId: { description: 'Number of the input of the recorder, from 1', example: 3 },
  deviceId: id('recorder', 35_002),
  cameraGroupId: id('camera group', 44_001),
  clientId: { description: 'Id of the application', example: 'desktop-viewer' },
  distributorId: id('distributor', 204),
  exportId: id('export', 52_031),
  shareId: id('share', 52_101),
  exportNumber: id('export, of whichever account', 52_031),
  layoutId: id('layout', 44_203),
  sequenceId: id('sequence', 44_102),
  jobId: id('job', 88_120),
  passkeyId: id('passkey', 71_004),
  permissionProfileId: id('permission profile', 40_101),
  pushDeviceId: id('browser that receives notifications', 60_330),
  portId: {
    description: 'Id of the input or output: its direction and the camera’s own name for it',
    example: 'output-1',
  },
  presetId: { description: 'Id of the preset, as the camera names it', example: '1' },
  username: { description: 'Name of the user in the camera or recorder', example: 'guard' },
  ssid: { description: 'Name of the Wi-Fi network', example: 'Office' },
  edgeStorageId: { description: 'Number of the card, as the camera counts them', example: '1' },
  cameraTransferId: id('offer of cameras', 90_120),
  reportId: id('report', 90_115),
  eventId: id('event', 1_000_002_048),
  reportScheduleId: id('report schedule', 90_201),
  imageId: id('firmware', 90_501),
  lockId: id('lock', 90_601),
  deletionId: id('deletion', 90_701),
  recordingId: { description: 'Id of a recording, as in a list of recordings', example: `30012-${'0'.repeat(32)}` },
  part: { description: 'Number of the part, from 0', example: '0' },
  mobileSubscriptionId: id('mobile subscription', 90_301),
  setupCodeId: id('set-up code', 90_401),
  resellerId: id('reseller', 255),
  sessionId: id('session', 81_077),
  subscriptionPackageId: id('subscription package', 3002),
  userId: id('user', 20_418),
  zoneId: id('zone', 40_007),
  tokenId: {
    description: 'Id of the token; `current` is the token of this call, `all` every token of the user',
    example: 'current',
  },
  host: { description: 'Host name of a brand', example: 'cameras.example.com' },
  type: { description: 'Kind of notification', example: 'cameraDown' },
  warning: { description: 'Kind of warning about a camera', example: 'clockWrong' },
  from: { description: 'Start of the time range (inclusive)', example: '2026-11-21T00:00:00Z' },
  till: { description: 'End of the time range (exclusive)', example: '2026-11-22T00:00:00Z' },
  available: { description: '`true`: only packages that can be chosen now', example: 'true' },
  valid: { description: '`true`: only packages large enough for what the account uses now', example: 'true' },
  userIds: { description: 'Only entries of these users', example: '20417,20418' },
  cameraIds: { description: 'Only these cameras', example: '30012,30013' },
  zoneIds: { description: 'Only cameras in these zones', example: '40007' },
  actions: { description: 'Only entries with one of these actions', example: 'postZone,deleteZone' },
  staffOnly: { description: '`true`: only what support staff did', example: 'true' },
  q: {
    description: 'Only items whose name or email address contains this text',
    example: 'front',
  },
  format: { description: 'Format of the file', example: 'csv' },
  online: { description: '`true`: only cameras that are online; `false`: only those that are not', example: 'true' },
  types: { description: 'Only events of these types', example: 'cameraOffline,cameraOnline' },
  statesOf: { description: 'States that come along: of cameras, exports, or both', example: 'cameras,exports' },
  minTimestamp: { description: 'Earliest start, inclusive', example: '2026-11-21T09:30:00Z' },
  maxTimestamp: { description: 'Latest start, exclusive', example: '2026-11-21T10:30:00Z' },
  read: { description: '`true`: only events marked as read; `false`: only others', example: 'false' },
  bookmarked: { description: '`true`: only bookmarked events; `false`: only others', example: 'true' },
  after: {
    description: 'Like the header `Last-Event-ID`: continues after this id; 0 is the beginning',
    example: '2048',
  },
  follow: { description: '`false`: sends only what there is now, then ends', example: 'false' },
  level: { description: 'Only entries of this level', example: 'warning' },
  resolution: { description: 'Gaps shorter than this many seconds count as recorded', example: '60' },
  email: { description: 'Email address of a user', example: 'alex@example.com' },
  status: { description: 'Only items with this status', example: 'active' },
  state: { description: 'Only items in this state', example: 'failed' },
  task: { description: 'Only jobs of this task', example: 'sendMail' },
  userType: { description: 'Only accounts of this type', example: 'regular' },
  period: { description: 'Number of days over which changes are counted', example: '30d' },
  blocked: { description: '`true`: only blocked users; `false`: only those who are not', example: 'false' },
  operation: { description: 'Name of the call to explain, as in this document (`operationId`)', example: 'getCamera' },
  time: { description: 'Time in the footage', example: '2026-11-21T09:30:00Z' },
  direction: { description: 'Which way to look from the time', example: 'next' },
  width: { description: 'Width of the picture in pixels', example: '640' },
  sensitivity: { description: 'Sensitivity to try, from 0 to 100; the saved one by default', example: '80' },
  scan: { description: '`true`: also the networks that the camera receives now', example: 'true' },
  urlTypes: { description: 'Types of addresses to include, separated by commas', example: 'hlsHttps,mseWss' },
  includeUrlTypes: { description: 'Types of addresses to include, separated by commas', example: 'mseWss' },
  includeFields: { description: '', example: 'name,zoneId' },
  excludeFields: { description: '', example: 'createdAt' },
  limit: { description: '', example: 50 },
  pageToken: { description: '', example: 'eyJ2IjpbIkZyb250IGRvb3IiXSwiayI6MzAwMTJ9' },
  count: { description: '', example: 'true' },
  'If-None-Match': { description: '', example: '"6d3f0c2a"' },
  'If-Match': { description: '', example: '"6d3f0c2a"' },
  'Idempotency-Key': { description: '', example: '2f9d5c1e-7a44-4d0b-9c64-0f6f3a1b8e55' },
}

const recordingSpan = {
  minTimestamp: {
    description: 'Only recordings that end after this; a day before `maxTimestamp` if omitted',
    example: '2026-11-21T09:30:00Z',
  },
  maxTimestamp: {
    description: 'Only recordings that start before this; now if omitted',
    example: '2026-11-21T10:30:00Z',
  },
}

/** Parameters with another meaning in one call. */
const parametersOfCalls: Readonly<Record<string, Readonly<Record<string, ParameterText>>>> = {
  getRecordings: recordingSpan,
  getCameraRecordings: recordingSpan,
  deleteSupportSession: { tokenId: id('support session, as returned by the list of sessions', 81_300) },
  explainOwnAccess: {
    zoneId: id('zone to check access to', 40_007),
    cameraId: id('camera to check access to', 30_012),
  },
  explainAccess: {
    zoneId: id('zone to check access to', 40_007),
    cameraId: id('camera to check access to', 30_012),
  },
  getCameraAddition: {
    known: {
      description: 'The status you know: the response comes as soon as it changes. Without it, when the addition ends',
      example: 'inProgress',
    },
    knownStep: {
      description: 'With `known`: the step you know. The response also comes as soon as another one runs',
      example: 'reachable',
    },
  },
  getDeviceAddition: {
    known: {
      description: 'The status you know: the response comes as soon as it changes. Without it, when the addition ends',
      example: 'inProgress',
    },
    knownStep: {
      description: 'With `known`: the step you know. The response also comes as soon as another one runs',
      example: 'reachable',
    },
  },
  getDevices: {
    type: { description: 'Only devices of this kind', example: 'recorder' },
    online: { description: '`true`: only devices that respond; `false`: only those that do not', example: 'true' },
  },
  getDeviceChannels: {
    attached: {
      description: '`true`: only inputs that are cameras of the account; `false`: only others',
      example: 'false',
    },
  },
  getRecordingSums: {
    interval: { description: 'Length of the intervals, which start at whole hours or days in UTC', example: 'day' },
  },
  getCameras: { zoneId: { description: 'Only cameras in this zone', example: 40_007 } },
}

/** Undefined if there is no description yet; the test of the document reports it. */
export const parameterText = (call: string, name: string): ParameterText | undefined =>
  parametersOfCalls[call]?.[name] ?? parameters[name]

const callersOf: Readonly<Record<Route['callers'], string>> = {
  members: 'account users',
  staff: 'staff of resellers, distributors and the provider',
  both: 'account users and staff',
}

const supportText: Readonly<Record<Route['support'], string>> = {
  yes: 'Available in support sessions.',
  no: 'Not available in support sessions.',
  blurred: 'In support sessions, pictures are blurred unless the owner allows video.',
  video: 'In support sessions, only while the owner allows video.',
}

/** Sentences about who may make a call, and its side effects. */
export function callText(route: Route): string {
  const { access, right, orRight, permission, module, apiKey, superUserOnly, created, notReplayed } = route
  const who = access === 'public' ? 'No token is needed.' : `For ${callersOf[route.callers]}.`
  const sentences = [
    who,
    ...(right === undefined
      ? []
      : [`Needs the right \`${right}\`${orRight === undefined ? '' : ` or \`${orRight}\``}.`]),
    ...(permission === undefined ? [] : [`Staff need the permission \`${permission}\`.`]),
    ...(module === undefined ? [] : [`The reseller needs the module \`${module}\`.`]),
    ...(superUserOnly === undefined ? [] : ['Only for the account owner.']),
    ...(access === 'object' ? ['Objects the caller can’t access return 404, like objects that don’t exist.'] : []),
    ...(access === 'public' ? [] : [supportText[route.support]]),
    ...(apiKey === 'no' ? ['Not available to API keys.'] : []),
    ...(apiKey === 'provisioning' ? ['API keys need the provisioning scope.'] : []),
    ...(created === undefined ? [] : ['`Location` is the address of the created object.']),
    ...(notReplayed === undefined ? [] : [`Doesn’t accept \`Idempotency-Key\`: ${notReplayed}.`]),
  ]
  return sentences.join(' ')
}
