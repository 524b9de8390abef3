/** An account's users, permission profiles, audit log, support access and API keys: api.md §4-§6, §17, §20. */
import type { OperationCase, RequestScene } from '../operation.ts'

const viewing = { callers: 'members', right: 'viewUserSettings', support: 'yes', apiKey: 'no' } as const
/** Support changes no user's rights, email address, password or blocking (product.md); keys do not manage users. */
const needing = (right: string) => ({ callers: 'members', right, support: 'no', apiKey: 'no' }) as const
const owners = { callers: 'members', owner: true, support: 'no', apiKey: 'no' } as const
/** Reports: files about footage and users of the whole account. */
const reporting = { callers: 'members', owner: true, support: 'no', visitor: 'no' } as const
const thatDay = () => new Date().toISOString().slice(0, 10)
const ending = { ...owners, ends: true } as const
const name = ({ fresh }: RequestScene) => ({ body: { name: fresh } })
const aDay = () => new Date(Date.now() + 86_400_000).toISOString()

export const people: Readonly<Record<string, OperationCase>> = {
  getUsers: { policy: viewing },
  addUser: {
    policy: needing('addUser'),
    send: (scene) => ({ body: newPerson(scene) }),
  },
  'addUser with cameras and zones': {
    policy: needing('addUser'),
    send: (scene) => ({ body: { ...newPerson(scene), cameraIds: reachable(scene), zoneIds: [] } }),
  },
  'addUser with a profile': {
    policy: needing('addUser'),
    send: (scene) => ({ body: { ...newPerson(scene), permissionProfileId: scene.ids.permissionProfile } }),
  },
  getPerson: { policy: viewing },
  patchPerson: { policy: needing('editUser'), send: ({ fresh }) => ({ body: { firstName: fresh } }) },
  deletePerson: { policy: needing('deleteUser') },
  getPersonDetails: { policy: { ...viewing, right: 'editUser' } },
  patchPersonDetails: { policy: needing('editUser'), send: ({ fresh }) => ({ body: { city: fresh } }) },
  patchPersonCredentials: { policy: needing('editUser'), send: () => ({ body: { sendLink: true } }) },
  getPersonRights: { policy: viewing },
  // A caller with editUser can grant it: no one grants what they lack.
  patchPersonRights: { policy: needing('editUser'), send: () => ({ body: { editUser: true } }) },
  'patchPersonRights with a profile': {
    policy: needing('editUser'),
    send: ({ ids }) => ({ body: { permissionProfileId: ids.permissionProfile } }),
  },
  getPersonAccess: { policy: { ...viewing, right: 'editUser' } },
  patchPersonAccess: {
    policy: needing('editUser'),
    send: (scene) => ({ body: { cameraIds: reachable(scene), zoneIds: [] } }),
  },
  blockPerson: { policy: needing('blockUser') },
  unblockPerson: { policy: needing('blockUser') },
  invitePerson: { policy: needing('addUser') },
  explainAccess: {
    policy: viewing,
    send: () => ({ query: { operation: 'getCamera' } }),
    foreign: { 'query.cameraId': 404, 'query.zoneId': 400 },
  },
  'explainAccess of a zone': {
    policy: viewing,
    send: () => ({ query: { operation: 'getZone' } }),
    foreign: { 'query.cameraId': 400, 'query.zoneId': 404 },
  },
  'explainAccess of everything': { policy: viewing },

  getPermissionProfiles: { policy: viewing },
  getPermissionProfile: { policy: viewing },
  addPermissionProfile: {
    policy: owners,
    send: ({ fresh }) => ({ body: { name: fresh, rights: { ptz: true } } }),
  },
  patchPermissionProfile: { policy: owners, send: name },
  deletePermissionProfile: { policy: owners },

  getTimeZone: { policy: { callers: 'members', support: 'yes' } },
  patchTimeZone: {
    policy: { callers: 'members', right: 'userSettings', support: 'yes' },
    send: () => ({ body: { timeZone: 'Europe/Amsterdam' } }),
  },

  getAuditLogs: { policy: { ...viewing, visitor: 'no' } },
  getAuditActions: { policy: { ...viewing, visitor: 'no' } },
  getAuditExport: {
    policy: { ...viewing, support: 'no', visitor: 'no' },
    records: 'an export is told the audit log (specification §3)',
  },

  getReports: { policy: reporting },
  addReport: { policy: reporting, send: () => ({ body: { type: 'userActivity', from: thatDay(), till: thatDay() } }) },
  getReport: { policy: reporting },
  getReportFile: { policy: reporting },
  getReportSchedules: { policy: reporting },
  deleteReportSchedule: { policy: reporting },

  getSupportAccess: { policy: { callers: 'members', support: 'yes' } },
  patchSupportAccess: { policy: owners, send: () => ({ body: { allowsHelpdeskExpirationDate: aDay() } }) },
  'patchSupportAccess that closes it': {
    policy: ending,
    send: () => ({ body: { allowsHelpdeskExpirationDate: null } }),
  },
  getOwnSupportSession: { policy: { callers: 'members', support: 'yes', person: true } },
  getSupportSessions: { policy: owners },
  deleteSupportSessions: { policy: ending },
  deleteSupportSession: {
    policy: ending,
    uses: ({ who }) => (who.is.kind === 'member' ? { token: who.is.account.supportTokenId } : {}),
  },

  getApiKeys: { policy: { ...owners, visitor: 'no' } },
  postApiKey: {
    policy: owners,
    send: name,
    except: ({ who }) =>
      who.scopes.includes('read')
        ? undefined
        : { verdict: 'forbidden', because: 'a key gets no scope that the token lacks' },
  },
  getApiKey: { policy: { ...owners, visitor: 'no' } },
  patchApiKey: { policy: owners, send: name },
  deleteApiKey: { policy: ending },
  rotateApiKey: { policy: owners },
}

const newPerson = ({ fresh }: RequestScene) => ({
  email: `${fresh}@tenancy.example`,
  firstName: fresh,
  lastName: fresh,
})

/** A camera that the caller can give access to, if any: no one grants what they lack. */
export function reachable({ ids, who: { is } }: RequestScene): readonly number[] {
  const isEmpty = is.kind === 'member' && is.reach !== 'all' && is.reach.cameras.length + is.reach.zones.length === 0
  return isEmpty ? [] : [ids.camera]
}
