import { describe, expect, test } from 'vitest'
import type { CameraUser } from './index.ts'
import { cameraUserDenyReason, findUsedByServer } from './rules.ts'

const user = (username: string, level: CameraUser['level'], usedByServer = false): CameraUser => ({
  username,
  level,
  usedByServer,
})
const server = user('sightline', 'administrator', true)
const admin = user('admin', 'administrator')
const guard = user('guard', 'operator')

describe('users of a camera', () => {
  test.each([
    [
      'the user that the server signs in with is not removed',
      { users: [server, admin], username: 'sightline', change: 'remove' },
      'usedByServer',
    ],
    [
      'nor given another password',
      { users: [server, admin], username: 'sightline', change: { password: 'x' } },
      'usedByServer',
    ],
    ['nor another level', { users: [server, admin], username: 'sightline', change: { level: 'user' } }, 'usedByServer'],
    [
      'the last administrator is not removed',
      { users: [admin, guard], username: 'admin', change: 'remove' },
      'lastAdministrator',
    ],
    [
      'nor given a lower level',
      { users: [admin, guard], username: 'admin', change: { level: 'operator' } },
      'lastAdministrator',
    ],
    ['but another password', { users: [admin, guard], username: 'admin', change: { password: 'x' } }, undefined],
    ['and the same level', { users: [admin, guard], username: 'admin', change: { level: 'administrator' } }, undefined],
    ['one of two administrators may go', { users: [server, admin], username: 'admin', change: 'remove' }, undefined],
    ['a guard may go', { users: [server, guard], username: 'guard', change: 'remove' }, undefined],
    ['a user that the camera lacks is not found', { users: [server], username: 'guard', change: 'remove' }, 'notFound'],
    ['no change is no offence', { users: [server], username: 'sightline', change: {} }, undefined],
  ] as const)('%s', (_, { users, username, change }, reason) => {
    expect(cameraUserDenyReason(users, username, change)).toBe(reason)
  })

  test('the server’s user is found by its name, or by the name in another case if none is the same', () => {
    const names = [{ username: 'Admin' }, { username: 'admin' }, { username: 'Guard' }]
    expect(findUsedByServer(names, 'admin')).toBe(names[1])
    expect(findUsedByServer(names, 'guard')).toBe(names[2])
    expect(findUsedByServer(names, 'root')).toBeUndefined()
    expect(findUsedByServer(names, null)).toBeUndefined()
  })
})
