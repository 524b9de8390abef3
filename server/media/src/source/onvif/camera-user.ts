import type { PasswordChangeAnswer, PasswordDenyReason } from '@sightline/contract/media-plane'
import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { usersShape } from './camera-users.ts'
import type { OnvifFault, OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import { escapeXml } from './xml.ts'

const SCHEMA = 'http://www.onvif.org/ver10/schema'

interface NewPassword {
  readonly username: string
  readonly password: string
}

/**
 * Sets the password of a user in the camera (ONVIF Core §8.4.6). SetUser sets the level too, so the camera is asked for it first.
 * The password is in the message as it is: without TLS everybody on the way can read it.
 */
export async function setPassword(
  device: OnvifCommander,
  { username, password }: NewPassword,
  signal: AbortSignal,
): Promise<OnvifResult<PasswordChangeAnswer>> {
  const listed = await device.call('device', 'GetUsers', { shape: usersShape, signal })
  if (!listed.ok) return listed
  const user = listed.value.User.find(({ Username }) => Username === username)
  if (user?.UserLevel === undefined) return ok({ kind: 'refused', reason: 'userUnknown' })
  const tags = { Username: username, Password: password, UserLevel: user.UserLevel }
  const values = Object.entries(tags).map(([name, value]) => `<t:${name}>${escapeXml(value)}</t:${name}>`)
  const content = `<o:User xmlns:t="${SCHEMA}">${values.join('')}</o:User>`
  const set = await device.call('device', 'SetUser', { content, shape: z.unknown(), signal })
  if (set.ok) return ok({ kind: 'changed' })
  const reason = refusalReason(set.failure)
  return reason === undefined ? fail(set.failure) : ok({ kind: 'refused', reason })
}

const refusals: Readonly<Record<string, PasswordDenyReason>> = {
  PasswordTooWeak: 'tooWeak',
  PasswordTooLong: 'tooLong',
  UsernameMissing: 'userUnknown',
  FixedUser: 'userFixed',
}

const refusalReason = ({ codes = [] }: OnvifFault): PasswordDenyReason | undefined =>
  codes.map((code) => refusals[code]).find((reason) => reason !== undefined)
