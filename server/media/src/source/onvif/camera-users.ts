import { setTimeout as sleep } from 'node:timers/promises'
import type { SettableLevel } from '@sightline/contract/camera-users'
import type { CameraUserChangeAnswer, ListedUser, UserDenyReason } from '@sightline/contract/media-plane'
import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { fault } from '../camera-fault.ts'
import type { OnvifFault, OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import { list, text } from './shapes.ts'
import { escapeXml } from './xml.ts'

const SCHEMA = 'http://www.onvif.org/ver10/schema'
const MAX_USERS = 64

/** Passwords, which some cameras list although they must not, aren't read. */
export const usersShape = z.object({ User: list(z.object({ Username: text, UserLevel: text }), MAX_USERS) })

/** A change with its password in plain text, as ONVIF takes it. */
export type OpenedUserChange =
  | { readonly kind: 'add'; readonly username: string; readonly password: string; readonly level: SettableLevel }
  | {
      readonly kind: 'set'
      readonly username: string
      readonly password: string | null
      readonly level: SettableLevel | null
    }
  | { readonly kind: 'remove'; readonly username: string }

const onvifLevels = { administrator: 'Administrator', operator: 'Operator', user: 'User' } as const
const isSettable = (level: string): level is SettableLevel => Object.hasOwn(onvifLevels, level)

function toLevel(onvifLevel = ''): ListedUser['level'] {
  const level = onvifLevel.toLowerCase()
  return isSettable(level) ? level : 'other'
}

/** The users of a camera (ONVIF Core §8.4.3), which lists them to its administrators only. */
export async function readUsers(
  device: OnvifCommander,
  signal: AbortSignal,
): Promise<OnvifResult<readonly ListedUser[]>> {
  const listed = await device.call('device', 'GetUsers', { shape: usersShape, signal })
  if (!listed.ok) return listed
  return ok(
    listed.value.User.flatMap(({ Username: username, UserLevel }) =>
      username === undefined || username === '' ? [] : [{ username, level: toLevel(UserLevel) }],
    ),
  )
}

/**
 * Adds, changes or removes a user of a camera (ONVIF Core §8.4.4 to §8.4.6), and reads them again: what isn't so afterwards was
 * refused. Without TLS everybody on the way can read the password.
 */
export async function changeUsers(
  device: OnvifCommander,
  change: OpenedUserChange,
  signal: AbortSignal,
): Promise<OnvifResult<CameraUserChangeAnswer>> {
  const request = await toRequest(device, change, signal)
  if (!request.ok) return request
  if (request.value === undefined) return ok({ kind: 'refused', reason: 'userUnknown' })
  const { operation, content } = request.value
  const done = await device.call('device', operation, { content, shape: z.unknown(), signal })
  if (!done.ok) {
    const reason = denyReason(done.failure)
    return reason === undefined ? fail(done.failure) : ok({ kind: 'refused', reason })
  }
  const users = await readUsers(device, signal)
  if (!users.ok) return users
  if (isDone(users.value, change)) {
    const passwordIgnored = await ignoresPassword(device, { change, users: users.value }, signal)
    return ok({ kind: 'changed', users: users.value, ...(passwordIgnored ? { passwordIgnored } : {}) })
  }
  return fail({ ...fault('badReply', `the camera answered ${operation} and did nothing`), isRefusal: true })
}

/** A camera that needs a moment to take a password. */
const SETTLE_MS = 1000
/** Two failed sign-ins lock nobody out. */
const TRIES = 2

/**
 * Whether a camera rejects a password that it has just accepted for one of its users. Only what it says itself counts: a camera that
 * tells everybody what it is, that answers nothing, or that has levels of its maker's leaves it open.
 */
async function ignoresPassword(
  device: OnvifCommander,
  { change, users }: { readonly change: OpenedUserChange; readonly users: readonly ListedUser[] },
  signal: AbortSignal,
): Promise<boolean> {
  if (change.kind !== 'set' || change.password === null) return false
  const { username, password } = change
  const level = users.find((user) => user.username === username)?.level
  if (level === undefined || level === 'other') return false
  const asUser = device.signedInAs({ username, password })
  for (let tried = 1; ; tried++) {
    // Users of every level may ask that (ONVIF Core §5.9.4, READ_SYSTEM).
    const answer = await asUser.call('device', 'GetDeviceInformation', { shape: z.unknown(), signal })
    const isRejected = !answer.ok && answer.failure.kind === 'credentialsIncorrect'
    if (!isRejected || tried === TRIES) return isRejected
    await sleep(SETTLE_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Undefined if the camera lacks the user. SetUser sets the level too, so a camera is asked for one that stays. */
async function toRequest(device: OnvifCommander, change: OpenedUserChange, signal: AbortSignal) {
  const { username } = change
  if (change.kind === 'remove')
    return ok({ operation: 'DeleteUsers', content: `<o:Username>${escapeXml(username)}</o:Username>` })
  if (change.kind === 'add')
    return ok({ operation: 'CreateUsers', content: userXml({ ...change, onvifLevel: onvifLevels[change.level] }) })
  const listed = await device.call('device', 'GetUsers', { shape: usersShape, signal })
  if (!listed.ok) return listed
  const known = listed.value.User.find(({ Username }) => Username === username)
  if (known === undefined) return ok(undefined)
  const onvifLevel = change.level === null ? (known.UserLevel ?? 'User') : onvifLevels[change.level]
  return ok({ operation: 'SetUser', content: userXml({ ...change, onvifLevel }) })
}

interface UserElement {
  readonly username: string
  readonly password: string | null
  readonly onvifLevel: string
}

function userXml({ username, password, onvifLevel }: UserElement): string {
  const tag = (name: string, value: string) => `<t:${name}>${escapeXml(value)}</t:${name}>`
  const secret = password === null ? '' : tag('Password', password)
  return `<o:User xmlns:t="${SCHEMA}">${tag('Username', username)}${secret}${tag('UserLevel', onvifLevel)}</o:User>`
}

function isDone(users: readonly ListedUser[], change: OpenedUserChange): boolean {
  const user = users.find(({ username }) => username === change.username)
  if (change.kind === 'remove') return user === undefined
  return user !== undefined && (change.level === null || user.level === change.level)
}

const denyReasons: Readonly<Record<string, UserDenyReason>> = {
  PasswordTooWeak: 'passwordTooWeak',
  PasswordTooLong: 'passwordTooLong',
  UsernameTooLong: 'usernameInvalid',
  UsernameTooShort: 'usernameInvalid',
  UsernameClash: 'usernameTaken',
  TooManyUsers: 'tooManyUsers',
  UsernameMissing: 'userUnknown',
  FixedUser: 'userFixed',
}

const denyReason = ({ codes = [] }: OnvifFault): UserDenyReason | undefined =>
  codes.map((code) => denyReasons[code]).find((reason) => reason !== undefined)
