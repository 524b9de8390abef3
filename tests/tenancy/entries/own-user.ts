/** The signed-in user: api.md §3, §4. */
import type { OperationCase, RequestScene } from '../operation.ts'

const wrongPassword = Buffer.from('not the password').toString('base64url')
/** Checking a password is slow, so only one caller sends one; the others are refused for an invalid body. */
const checkedFor = ({ who }: RequestScene): boolean => who.name === 'owner'
const notChecked = {
  400: 'without a password nothing is checked',
  401: 'no one here has a password; code 8, and the session does not end (product.md, decision 1)',
}
const own = { callers: 'members', support: 'yes' } as const
/** For staff too. */
const everybodys = { callers: 'both', support: 'no', apiKey: 'no' } as const
/** Sign-in settings, which guests of a public demo do not see. */
const secret = { ...everybodys, visitor: 'no' } as const

const calls: Readonly<Record<string, OperationCase>> = {
  getUser: { policy: { callers: 'both', support: 'yes' } },
  patchUser: {
    policy: { callers: 'members', support: 'no', apiKey: 'no' },
    send: ({ fresh }) => ({ body: { firstName: fresh } }),
  },
  getFeatureFlags: { policy: own },
  getOwnRights: { policy: own },
  getUserDetails: { policy: own },
  patchUserDetails: {
    policy: { callers: 'members', support: 'yes', apiKey: 'no' },
    send: ({ fresh }) => ({ body: { city: fresh } }),
  },
  explainOwnAccess: {
    policy: { callers: 'members', support: 'yes', apiKey: 'no' },
    send: () => ({ query: { operation: 'getCamera' } }),
    foreign: { 'query.cameraId': 404, 'query.zoneId': 400 },
  },
  'explainOwnAccess of a zone': {
    policy: { callers: 'members', support: 'yes', apiKey: 'no' },
    send: () => ({ query: { operation: 'getZone' } }),
    foreign: { 'query.cameraId': 400, 'query.zoneId': 404 },
  },
  'explainOwnAccess of everything': { policy: { callers: 'members', support: 'yes', apiKey: 'no' } },

  checkCredentials: {
    policy: secret,
    send: (scene) => (checkedFor(scene) ? { headers: { 'x-password': wrongPassword } } : {}),
    also: notChecked,
  },
  patchCredentials: {
    policy: everybodys,
    send: (scene) => ({
      body: checkedFor(scene) ? { password: 'not the password', newPassword: 'Tests-only.2026' } : {},
    }),
    also: notChecked,
  },
  getMfa: {
    policy: secret,
    records: 'a seed is shown until its first code comes',
    silent: 'a seed that no code has come for changes nothing',
  },
  patchMfa: {
    policy: everybodys,
    // The code cannot be right by chance: no app made it, and no one here has recovery codes.
    send: (scene) => ({ body: checkedFor(scene) ? { enabled: false, code: '000000' } : {} }),
    also: { 400: 'a code is required', 409: 'no one here has turned it on' },
  },
  getPasskeys: { policy: secret },
  confirmByPasskey: { policy: everybodys, also: { 409: 'no one here has a passkey for this host' } },
  beginPasskey: {
    policy: everybodys,
    send: (scene) => ({ body: checkedFor(scene) ? { proof: { password: 'not the password' } } : {} }),
    also: { ...notChecked, 409: 'there are no passkeys at a host that is only a number' },
  },
  postPasskey: {
    policy: everybodys,
    send: () => ({ body: {} }),
    also: { 400: 'no one here has a browser that could create one' },
  },
  patchPasskeys: {
    policy: everybodys,
    send: (scene) => ({
      body: checkedFor(scene) ? { asSecondFactor: true, proof: { password: 'not the password' } } : {},
    }),
    also: notChecked,
  },
  patchPasskey: { policy: everybodys, send: ({ fresh }) => ({ body: { name: fresh } }) },
  deletePasskey: { policy: everybodys },
  renewRecoveryCodes: {
    policy: everybodys,
    send: (scene) => ({ body: checkedFor(scene) ? { proof: { code: '000000' } } : {} }),
    also: { ...notChecked, 409: 'no one here has a second factor' },
  },
  getConnectedApps: { policy: secret },
  deleteConnectedApp: {
    policy: { ...everybodys, ends: true },
    send: () => ({ params: { clientId: 'not-allowed' } }),
    also: { 404: 'no one here has connected an application' },
  },
  getAgreement: { policy: own },
  acceptAgreement: {
    policy: { callers: 'members', support: 'no', apiKey: 'no', person: true },
    send: () => ({
      body: { version: '1', isAdult: true, isInUsOrCanada: true, watchesNoChildren: true },
    }),
    also: { 409: 'no brand here asks for the agreement' },
  },
  getPreferences: { policy: own },
  patchPreferences: {
    policy: { callers: 'members', support: 'no', apiKey: 'no' },
    send: ({ fresh }) => ({ body: { tour: fresh } }),
    silent: 'a user’s own display preferences concern no one else',
  },
  getDeletion: { policy: { callers: 'members', support: 'yes', apiKey: 'no' } },
  requestDeletion: {
    policy: { callers: 'members', support: 'no', apiKey: 'no' },
    send: (scene) => ({ body: checkedFor(scene) ? { password: 'not the password' } : {} }),
    also: notChecked,
  },
  cancelDeletion: {
    policy: { callers: 'members', support: 'no', apiKey: 'no' },
    also: { 409: 'no one here requested one' },
  },
  getPersonalData: { policy: { ...secret, callers: 'members' } },
  downloadPersonalData: {
    policy: { callers: 'members', support: 'no', apiKey: 'no' },
    send: (scene) => ({ body: checkedFor(scene) ? { password: 'not the password' } : {} }),
    also: notChecked,
  },
  getTokens: { policy: secret },
  deleteCurrentToken: {
    policy: { callers: 'both', support: 'yes', harmless: true, anyScope: true },
    silentOfVisitors: 'anybody may visit, as often as they like, and would fill the log',
  },
  deleteToken: { policy: { ...everybodys, ends: true } },
  postSession: {
    policy: { callers: 'both', support: 'yes', harmless: true },
    silent: 'it only tells what the token is',
  },
  getSessions: { policy: everybodys },
  deleteSession: { policy: { ...everybodys, ends: true } },
  getSignIns: { policy: everybodys },
  getLockdown: { policy: secret },
  postLockdown: {
    policy: { ...everybodys, ends: true },
    send: () => ({ body: { endApiKeys: false, removePasskeys: false } }),
  },
  getOwnStaff: { policy: { callers: 'staff', support: 'no' } },
}

export const ownUser: Readonly<Record<string, OperationCase>> = Object.fromEntries(
  Object.entries(calls).map(([title, call]) => [title, { ...call, policy: { ...call.policy, person: true } }]),
)
