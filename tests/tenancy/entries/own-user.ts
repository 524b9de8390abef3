/** The signed-in person: api.md §3, §4. */
import type { OperationCase, RequestScene } from '../operation.ts'

const wrongPassword = Buffer.from('not the password').toString('base64url')
/** A password takes long to check, so only one caller has one looked at; the others are refused for what they sent. */
const checkedFor = ({ who }: RequestScene): boolean => who.name === 'owner'
const notChecked = {
  400: 'without a password nothing is checked',
  401: 'nobody here has set a password; code 8 and no end of the session (product.md, decision 1)',
}
const own = { callers: 'members', support: 'yes' } as const
/** Staff has these too. */
const everybodys = { callers: 'both', support: 'no', apiKey: 'no' } as const
/** How somebody signs in, which visitors of a public demonstration are not shown. */
const secret = { ...everybodys, visitor: 'no' } as const

const calls: Readonly<Record<string, OperationCase>> = {
  getUser: { law: { callers: 'both', support: 'yes' } },
  patchUser: {
    law: { callers: 'members', support: 'no', apiKey: 'no' },
    send: ({ fresh }) => ({ body: { firstName: fresh } }),
  },
  getFeatureFlags: { law: own },
  getOwnRights: { law: own },
  getUserDetails: { law: own },
  patchUserDetails: {
    law: { callers: 'members', support: 'yes', apiKey: 'no' },
    send: ({ fresh }) => ({ body: { city: fresh } }),
  },
  explainOwnAccess: {
    law: { callers: 'members', support: 'yes', apiKey: 'no' },
    send: () => ({ query: { operation: 'getCamera' } }),
    foreign: { 'query.cameraId': 404, 'query.zoneId': 400 },
  },
  'explainOwnAccess of a zone': {
    law: { callers: 'members', support: 'yes', apiKey: 'no' },
    send: () => ({ query: { operation: 'getZone' } }),
    foreign: { 'query.cameraId': 400, 'query.zoneId': 404 },
  },
  'explainOwnAccess of everything': { law: { callers: 'members', support: 'yes', apiKey: 'no' } },

  checkCredentials: {
    law: secret,
    send: (scene) => (checkedFor(scene) ? { headers: { 'x-password': wrongPassword } } : {}),
    also: notChecked,
  },
  patchCredentials: {
    law: everybodys,
    send: (scene) => ({
      body: checkedFor(scene) ? { password: 'not the password', newPassword: 'Tests-only.2026' } : {},
    }),
    also: notChecked,
  },
  getMfa: {
    law: secret,
    records: 'a seed is shown until its first code comes',
    silent: 'a seed that no code has come for changes nothing',
  },
  patchMfa: {
    law: everybodys,
    // No code is right by chance: it is none of an app, and nobody here has a recovery code.
    send: (scene) => ({ body: checkedFor(scene) ? { enabled: false, code: '000000' } : {} }),
    also: { 400: 'without a code nothing is switched', 409: 'nobody here has switched it on' },
  },
  getPasskeys: { law: secret },
  confirmByPasskey: { law: everybodys, also: { 409: 'nobody here has a passkey of this host' } },
  beginPasskey: {
    law: everybodys,
    send: (scene) => ({ body: checkedFor(scene) ? { proof: { password: 'not the password' } } : {} }),
    also: { ...notChecked, 409: 'there are no passkeys at a host that is only a number' },
  },
  postPasskey: {
    law: everybodys,
    send: () => ({ body: {} }),
    also: { 400: 'nobody here has a browser that could make one' },
  },
  patchPasskeys: {
    law: everybodys,
    send: (scene) => ({
      body: checkedFor(scene) ? { asSecondFactor: true, proof: { password: 'not the password' } } : {},
    }),
    also: notChecked,
  },
  patchPasskey: { law: everybodys, send: ({ fresh }) => ({ body: { name: fresh } }) },
  deletePasskey: { law: everybodys },
  renewRecoveryCodes: {
    law: everybodys,
    send: (scene) => ({ body: checkedFor(scene) ? { proof: { code: '000000' } } : {} }),
    also: { ...notChecked, 409: 'nobody here has a second factor' },
  },
  getConnectedApps: { law: secret },
  deleteConnectedApp: {
    law: { ...everybodys, ends: true },
    send: () => ({ params: { clientId: 'not-allowed' } }),
    also: { 404: 'nobody here has allowed an application' },
  },
  getAgreement: { law: own },
  acceptAgreement: {
    law: { callers: 'members', support: 'no', apiKey: 'no', person: true },
    send: () => ({
      body: { version: '1', isAdult: true, isInUsOrCanada: true, watchesNoChildren: true },
    }),
    also: { 409: 'no brand here asks for the agreement' },
  },
  getPreferences: { law: own },
  patchPreferences: {
    law: { callers: 'members', support: 'no', apiKey: 'no' },
    send: ({ fresh }) => ({ body: { tour: fresh } }),
    silent: 'how somebody’s own screens look is nobody else’s matter',
  },
  getDeletion: { law: { callers: 'members', support: 'yes', apiKey: 'no' } },
  requestDeletion: {
    law: { callers: 'members', support: 'no', apiKey: 'no' },
    send: (scene) => ({ body: checkedFor(scene) ? { password: 'not the password' } : {} }),
    also: notChecked,
  },
  cancelDeletion: {
    law: { callers: 'members', support: 'no', apiKey: 'no' },
    also: { 409: 'nobody here asked for one' },
  },
  getPersonalData: { law: { ...secret, callers: 'members' } },
  downloadPersonalData: {
    law: { callers: 'members', support: 'no', apiKey: 'no' },
    send: (scene) => ({ body: checkedFor(scene) ? { password: 'not the password' } : {} }),
    also: notChecked,
  },
  getTokens: { law: secret },
  deleteCurrentToken: {
    law: { callers: 'both', support: 'yes', harmless: true, anyScope: true },
    silentOfVisitors: 'anybody may visit, as often as they like, and would fill the log',
  },
  deleteToken: { law: { ...everybodys, ends: true } },
  postSession: {
    law: { callers: 'both', support: 'yes', harmless: true },
    silent: 'it only tells what the token is',
  },
  getSessions: { law: everybodys },
  deleteSession: { law: { ...everybodys, ends: true } },
  getSignIns: { law: everybodys },
  getLockdown: { law: secret },
  postLockdown: {
    law: { ...everybodys, ends: true },
    send: () => ({ body: { endApiKeys: false, removePasskeys: false } }),
  },
  getOwnStaff: { law: { callers: 'staff', support: 'no' } },
}

export const ownUser: Readonly<Record<string, OperationCase>> = Object.fromEntries(
  Object.entries(calls).map(([title, call]) => [title, { ...call, law: { ...call.law, person: true } }]),
)
