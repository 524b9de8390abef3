import type { CameraCommandFailure } from '@sightline/contract/media-plane'

/** What goes wrong with a camera or recorder while its users are read or changed, with the status and code of the answer. For tests. */
export const commonFailures = [
  ['unsupported', 422, 11],
  ['credentialsIncorrect', 424, 12],
  ['rejected', 424, 13],
  ['timedOut', 504, 19],
] as const satisfies readonly (readonly [kind: CameraCommandFailure, status: number, code: number])[]

export const newUser = { username: 'night', password: 'correct horse', level: 'operator', allowPlainText: true }

/** Each call about users, with a body that is valid where there are the users admin and guard. */
export const userCalls = [
  ['GET', undefined],
  ['POST', newUser],
  ['PATCH /guard', { level: 'user' }],
  ['DELETE /guard', undefined],
] as const
