import type { Text } from './text.ts'
import type { HostKey } from './user-calls.ts'

const camera = {
  title: 'Users of the camera',
  about: 'Users that are stored in the camera itself. They’re separate from the users of your account.',
  offline: 'The camera is offline, so its users can’t be read or changed.',
  notLoaded: 'The users of the camera couldn’t be loaded',
  removeNamed: 'Remove {name} from the camera?',
  othersLoseAccess: 'Other apps and recorders that sign in to the camera as this user lose access.',
  added: 'User added to the camera',
  changed: 'User of the camera changed',
  removed: 'User removed from the camera',
  addTitle: 'Add a user to the camera',
  name: 'Name in the camera',
  password: 'Password in the camera',
  newPassword: 'New password in the camera',
  passwordHint: 'It’s sent to the camera and not saved here. Keep a copy.',
  newPasswordHint: 'Leave empty to keep the password. A new one is sent to the camera and not saved here.',
  levelHint: 'Administrators can change everything, operators control the camera, viewers only watch.',
  opensDirectly: 'Anyone with this password can open the camera directly, without an entry in the audit log.',
  invalid: 'The camera refused this name or password.',
  gone: 'The camera doesn’t have this user anymore.',
  taken: 'The camera already has a user with this name.',
  notAllowed: 'The camera doesn’t allow this: it has too many users, or this user can’t be changed.',
  ownSettings: 'The users of this camera can only be changed in the camera’s own settings.',
  signInRejected: 'The camera rejected the saved sign-in, or its user isn’t an administrator of the camera.',
  refused: 'The camera refused this change. Some cameras take a new level only together with a new password.',
  removalRefused: 'The camera refused to remove this user.',
  unchanged: 'The camera is offline. Its users weren’t changed.',
  unencrypted:
    'The camera isn’t connected over HTTPS, so others on its network could read the password on its way. Turn this on if you accept that.',
} as const satisfies Readonly<Record<string, Text>>

const recorder: Readonly<Record<keyof typeof camera, Text>> = {
  title: 'Users of the recorder',
  about: 'Users that are stored in the recorder itself. They’re separate from the users of your account.',
  offline: 'The recorder is offline, so its users can’t be read or changed.',
  notLoaded: 'The users of the recorder couldn’t be loaded',
  removeNamed: 'Remove {name} from the recorder?',
  othersLoseAccess: 'Other apps and devices that sign in to the recorder as this user lose access.',
  added: 'User added to the recorder',
  changed: 'User of the recorder changed',
  removed: 'User removed from the recorder',
  addTitle: 'Add a user to the recorder',
  name: 'Name in the recorder',
  password: 'Password in the recorder',
  newPassword: 'New password in the recorder',
  passwordHint: 'It’s sent to the recorder and not saved here. Keep a copy.',
  newPasswordHint: 'Leave empty to keep the password. A new one is sent to the recorder and not saved here.',
  levelHint: 'Administrators can change everything, operators control the cameras, viewers only watch.',
  opensDirectly: 'Anyone with this password can open the recorder directly, without an entry in the audit log.',
  invalid: 'The recorder refused this name or password.',
  gone: 'The recorder doesn’t have this user anymore.',
  taken: 'The recorder already has a user with this name.',
  notAllowed: 'The recorder doesn’t allow this: it has too many users, or this user can’t be changed.',
  ownSettings: 'The users of this recorder can only be changed in the recorder’s own settings.',
  signInRejected: 'The recorder rejected the saved sign-in, or its user isn’t an administrator of the recorder.',
  refused: 'The recorder refused this change. Some recorders take a new level only together with a new password.',
  removalRefused: 'The recorder refused to remove this user.',
  unchanged: 'The recorder is offline. Its users weren’t changed.',
  unencrypted:
    'The recorder isn’t connected over HTTPS, so others on its network could read the password on its way. Turn this on if you accept that.',
}

/** What is said about the users of a camera, and of a recorder. */
export const hostTexts: Readonly<Record<HostKey['kind'], Readonly<Record<keyof typeof camera, Text>>>> = {
  camera,
  recorder,
}
