/** The people of an account, profiles of rights, the audit log, support access, API keys: api.md §4-§6, §17, §20. */
import type { OperationCase, RequestScene } from '../operation.ts'

const viewing = { callers: 'members', right: 'viewUserSettings', support: 'yes', apiKey: 'no' } as const
/** Support changes nobody's rights, address, password or blocking (product.md); keys have no business with people. */
const needing = (right: string) => ({ callers: 'members', right, support: 'no', apiKey: 'no' }) as const
const owners = { callers: 'members', owner: true, support: 'no', apiKey: 'no' } as const
/** Of footage and people of the whole account, as a file. */
const reporting = { callers: 'members', owner: true, support: 'no', visitor: 'no' } as const
const thatDay = () => new Date().toISOString().slice(0, 10)
const ending = { ...owners, ends: true } as const
const name = ({ fresh }: RequestScene) => ({ body: { name: fresh } })
const aDay = () => new Date(Date.now() + 86_400_000).toISOString()

export const people: Readonly<Record<string, OperationCase>> = {
  getUsers: { law: viewing },
  addUser: {
    law: needing('addUser'),
    send: (scene) => ({ body: newPerson(scene) }),
  },
  'addUser with cameras and zones': {
    law: needing('addUser'),
    send: (scene) => ({ body: { ...newPerson(scene), cameraIds: reachable(scene), zoneIds: [] } }),
  },
  'addUser with a profile': {
    law: needing('addUser'),
    send: (scene) => ({ body: { ...newPerson(scene), permissionProfileId: scene.ids.permissionProfile } }),
  },
  getPerson: { law: viewing },
  patchPerson: { law: needing('editUser'), send: ({ fresh }) => ({ body: { firstName: fresh } }) },
  deletePerson: { law: needing('deleteUser') },
  getPersonDetails: { law: { ...viewing, right: 'editUser' } },
  patchPersonDetails: { law: needing('editUser'), send: ({ fresh }) => ({ body: { city: fresh } }) },
  patchPersonCredentials: { law: needing('editUser'), send: () => ({ body: { sendLink: true } }) },
  getPersonRights: { law: viewing },
  // Who has the right editUser may give it: nobody gives what they lack.
  patchPersonRights: { law: needing('editUser'), send: () => ({ body: { editUser: true } }) },
  'patchPersonRights with a profile': {
    law: needing('editUser'),
    send: ({ ids }) => ({ body: { permissionProfileId: ids.permissionProfile } }),
  },
  getPersonAccess: { law: { ...viewing, right: 'editUser' } },
  patchPersonAccess: {
    law: needing('editUser'),
    send: (scene) => ({ body: { cameraIds: reachable(scene), zoneIds: [] } }),
  },
  blockPerson: { law: needing('blockUser') },
  unblockPerson: { law: needing('blockUser') },
  invitePerson: { law: needing('addUser') },
  explainAccess: {
    law: viewing,
    send: () => ({ query: { operation: 'getCamera' } }),
    foreign: { 'query.cameraId': 404, 'query.zoneId': 400 },
  },
  'explainAccess of a zone': {
    law: viewing,
    send: () => ({ query: { operation: 'getZone' } }),
    foreign: { 'query.cameraId': 400, 'query.zoneId': 404 },
  },
  'explainAccess of everything': { law: viewing },

  getPermissionProfiles: { law: viewing },
  getPermissionProfile: { law: viewing },
  addPermissionProfile: {
    law: owners,
    send: ({ fresh }) => ({ body: { name: fresh, rights: { ptz: true } } }),
  },
  patchPermissionProfile: { law: owners, send: name },
  deletePermissionProfile: { law: owners },

  getTimeZone: { law: { callers: 'members', support: 'yes' } },
  patchTimeZone: {
    law: { callers: 'members', right: 'userSettings', support: 'yes' },
    send: () => ({ body: { timeZone: 'Europe/Amsterdam' } }),
  },

  getAuditLogs: { law: { ...viewing, visitor: 'no' } },
  getAuditActions: { law: { ...viewing, visitor: 'no' } },
  getAuditExport: {
    law: { ...viewing, support: 'no', visitor: 'no' },
    records: 'an export is told the audit log (specification §3)',
  },

  getReports: { law: reporting },
  addReport: { law: reporting, send: () => ({ body: { type: 'userActivity', from: thatDay(), till: thatDay() } }) },
  getReport: { law: reporting },
  getReportFile: { law: reporting },
  getReportSchedules: { law: reporting },
  deleteReportSchedule: { law: reporting },

  getSupportAccess: { law: { callers: 'members', support: 'yes' } },
  patchSupportAccess: { law: owners, send: () => ({ body: { allowsHelpdeskExpirationDate: aDay() } }) },
  'patchSupportAccess that closes it': { law: ending, send: () => ({ body: { allowsHelpdeskExpirationDate: null } }) },
  getOwnSupportSession: { law: { callers: 'members', support: 'yes', person: true } },
  getSupportSessions: { law: owners },
  deleteSupportSessions: { law: ending },
  deleteSupportSession: {
    law: ending,
    uses: ({ who }) => (who.is.kind === 'member' ? { token: who.is.account.supportTokenId } : {}),
  },

  getApiKeys: { law: { ...owners, visitor: 'no' } },
  postApiKey: {
    law: owners,
    send: name,
    except: ({ who }) =>
      who.scopes.includes('read')
        ? undefined
        : { verdict: 'forbidden', because: 'a key gets no scope that the token lacks' },
  },
  getApiKey: { law: { ...owners, visitor: 'no' } },
  patchApiKey: { law: owners, send: name },
  deleteApiKey: { law: ending },
  rotateApiKey: { law: owners },
}

const newPerson = ({ fresh }: RequestScene) => ({
  email: `${fresh}@tenancy.example`,
  firstName: fresh,
  lastName: fresh,
})

/** A camera that the caller may give, where there is one: nobody gives what they lack. */
function reachable({ ids, who: { is } }: RequestScene): readonly number[] {
  const isEmpty = is.kind === 'member' && is.reach !== 'all' && is.reach.cameras.length + is.reach.zones.length === 0
  return isEmpty ? [] : [ids.camera]
}
