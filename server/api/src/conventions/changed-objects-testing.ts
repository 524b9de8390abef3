// One table: of every call that changes one object, an object to change and a body that changes it. Kept in one file
// because it is a catalogue.
import type { TestApi } from '../api-testing.ts'

/** What a call is made on: the token that may, the path, and a body that changes nothing that another change needs. */
export interface ChangedObject {
  readonly token: string
  readonly path: string
  readonly body: object
  /** Where the object is read, if not at the same path. */
  readonly readAt?: string
  /** The account whose rows the change waits for. */
  readonly accountId: number
}

type Arrange = (api: TestApi) => Promise<ChangedObject>

const own =
  (path: string, body: object): Arrange =>
  async (api) => {
    const { accountId, token } = await api.addAccount()
    return { accountId, token, path, body }
  }

const ofSubUser =
  (tail: string, body: object): Arrange =>
  async (api) => {
    const { accountId, token } = await api.addAccount()
    const { userId } = await api.addSubUser(accountId, { rights: [] })
    return { accountId, token, path: `users/${userId}${tail}`, body }
  }

/** By the name of the call. */
export const changedObjects: Readonly<Record<string, Arrange>> = {
  patchUser: own('users/self', { firstName: 'Grace' }),
  patchUserDetails: own('users/self/details', { city: 'Delft' }),
  patchTimeZone: own('accounts/self/timeZone', { timeZone: 'Asia/Tokyo' }),
  patchSupportAccess: own('users/self/status', { allowsHelpdeskShowVideo: true }),
  patchPerson: ofSubUser('', { firstName: 'Grace' }),
  patchPersonDetails: ofSubUser('/details', { city: 'Delft' }),
  patchPersonRights: ofSubUser('/rights', { ptz: true }),
  patchPersonAccess: ofSubUser('/access', { allCameras: true }),
  async patchPermissionProfile(api) {
    const { accountId, token } = await api.addAccount()
    const { body } = await api.call(token, 'POST permissionProfiles', { name: 'Shift', rights: {} })
    return { accountId, token, path: `permissionProfiles/${body.permissionProfileId}`, body: { name: 'Night shift' } }
  },
  async patchZone(api) {
    const { accountId, token, zoneId } = await api.addAccount()
    return { accountId, token, path: `zones/${zoneId}`, body: { name: 'Yard' } }
  },
  async patchCamera(api) {
    const { accountId, token, zoneId } = await api.addAccount()
    return {
      accountId,
      token,
      path: `cameras/${await api.addCamera(accountId, zoneId, 'Door')}`,
      body: { name: 'Gate' },
    }
  },
}
