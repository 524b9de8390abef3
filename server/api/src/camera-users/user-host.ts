import {
  type CameraUser,
  type CameraUserPatch,
  cameraUserDenyReason,
  type NewCameraUser,
  type WantedUserChange,
} from '@sightline/contract/camera-users'
import type { ApiError } from '@sightline/contract/errors'
import type {
  CameraCommandAnswer,
  CameraCommandFailure,
  CameraUserChange,
  MediaPlane,
} from '@sightline/contract/media-plane'
import type { Tx } from '@sightline/platform/db'
import type { EncryptionContext, EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import type { Change } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { type HostNoun, type HostSignIn, plainTextFault, toCameraUsers, userErrors } from './rules.ts'

/** A camera or recorder that has users of its own. */
export interface UserHost {
  readonly id: number
  readonly noun: HostNoun
  /** How the server signs in there. Fails if the caller can't see it, or if its users are another's. */
  readonly signIn: () => Promise<Result<HostSignIn, ApiError>>
  /** Where its password is stored, by which new ones are sealed for its worker. */
  readonly passwordContext: EncryptionContext
  readonly commandError: (
    answer: Exclude<CameraCommandAnswer, { readonly kind: 'done' }>,
    sentences: Partial<Record<CameraCommandFailure, string>>,
  ) => ApiError
  /** Writes down a change that was made, unless the host is gone. */
  readonly record: (tx: Tx, changed: HostUserChange) => Promise<Result<undefined, ApiError>>
}

/** A change as the audit log has it. Never with a password. */
export interface HostUserChange {
  readonly before: object | null
  readonly after: object | null
}

export interface UserDeps {
  readonly media: Pick<MediaPlane, 'command'>
  readonly encryption: EnvelopeEncryption
}

/** The users as their host lists them now. */
export async function listUsers(
  { media }: Pick<UserDeps, 'media'>,
  host: Omit<UserHost, 'record'>,
): Promise<Result<CameraUser[], ApiError>> {
  const read = await readHost(media, host)
  return read.ok ? ok([...read.value.users]) : read
}

export async function addUser(
  deps: UserDeps,
  change: Change<MemberCaller>,
  { host, body }: { readonly host: UserHost; readonly body: NewCameraUser },
): Promise<Result<CameraUser, ApiError>> {
  const { username, level, password, allowPlainText } = body
  const read = await readHost(deps.media, host)
  if (!read.ok) return read
  const { users, signIn } = read.value
  const isTaken = users.some((user) => user.username === username)
  const errors = userErrors(host.noun)
  const refusal = isTaken ? errors.usernameTaken : plainTextFault(host.noun, signIn, allowPlainText)
  if (refusal !== undefined) return fail(refusal)
  const input = { kind: 'add', username, level, passwordSealed: seal(deps, host, password) } as const
  return found(host, await changeUsers(deps, change, { host, read: read.value, input }))
}

export async function patchUser(
  deps: UserDeps,
  change: Change<MemberCaller>,
  { host, username, body }: { readonly host: UserHost; readonly username: string; readonly body: CameraUserPatch },
): Promise<Result<CameraUser, ApiError>> {
  const read = await readHost(deps.media, host)
  if (!read.ok) return read
  const { users, signIn } = read.value
  const user = users.find((one) => one.username === username)
  if (user === undefined) return fail(userErrors(host.noun).notFound)
  const refusal = change.conditionFailure(user) ?? changeError(host, users, { username, wanted: body })
  if (refusal !== undefined) return fail(refusal)
  const { password, level = null, allowPlainText } = body
  if (isSame(user, body)) return ok(user)
  const fault = password === undefined ? undefined : plainTextFault(host.noun, signIn, allowPlainText)
  if (fault !== undefined) return fail(fault)
  const passwordSealed = password === undefined ? null : seal(deps, host, password)
  const input = { kind: 'set', username, level, passwordSealed } as const
  return found(host, await changeUsers(deps, change, { host, read: read.value, input }))
}

export async function removeUser(
  deps: UserDeps,
  change: Change<MemberCaller>,
  { host, username }: { readonly host: UserHost; readonly username: string },
): Promise<Result<undefined, ApiError>> {
  const read = await readHost(deps.media, host)
  if (!read.ok) return read
  const refusal = changeError(host, read.value.users, { username, wanted: 'remove' })
  if (refusal !== undefined) return fail(refusal)
  const done = await changeUsers(deps, change, { host, read: read.value, input: { kind: 'remove', username } })
  return done.ok ? ok(undefined) : done
}

/** Whether nothing would change. */
const isSame = (user: CameraUser, { password, level }: CameraUserPatch): boolean =>
  password === undefined && (level === undefined || level === user.level)

/** The users of a host, read just now, and how the server signs in to it. */
interface ReadHost {
  readonly signIn: HostSignIn
  readonly users: readonly CameraUser[]
}

async function readHost(media: UserDeps['media'], host: Omit<UserHost, 'record'>): Promise<Result<ReadHost, ApiError>> {
  const signIn = await host.signIn()
  if (!signIn.ok) return signIn
  const answer = await media.command({ cameraId: host.id, name: 'readUsers', input: null })
  if (answer.kind !== 'done') return fail(host.commandError(answer, userErrors(host.noun).sentences))
  return ok({ signIn: signIn.value, users: toCameraUsers(answer.output, signIn.value) })
}

function changeError(
  { noun }: UserHost,
  users: readonly CameraUser[],
  { username, wanted }: { readonly username: string; readonly wanted: WantedUserChange },
): ApiError | undefined {
  const refusal = cameraUserDenyReason(users, username, wanted)
  return refusal === undefined ? undefined : userErrors(noun)[refusal]
}

const seal = ({ encryption }: UserDeps, { passwordContext }: UserHost, password: string): string =>
  encryption.seal(passwordContext, password).toString('base64')

interface Wish {
  readonly host: UserHost
  readonly read: ReadHost
  readonly input: CameraUserChange
}

/** Changes the users of the host and writes that down. The result is the user afterwards, if there is one. */
async function changeUsers(
  { media }: UserDeps,
  change: Change<MemberCaller>,
  { host, read: { signIn, users }, input }: Wish,
): Promise<Result<CameraUser | undefined, ApiError>> {
  const errors = userErrors(host.noun)
  const answer = await media.command({ cameraId: host.id, name: 'changeUsers', input })
  if (answer.kind !== 'done') return fail(host.commandError(answer, errors.sentences))
  if (answer.output.kind === 'refused') return fail(errors.refused(input.kind, answer.output.reason))
  const named = ({ username }: CameraUser) => username === input.username
  const user = toCameraUsers(answer.output.users, signIn).find(named)
  const secret = input.kind !== 'remove' && input.passwordSealed !== null ? { password: 'changed' } : {}
  const isIgnored = answer.output.passwordIgnored === true
  const before = users.find(named)
  // Nothing was changed, unless the level was.
  if (isIgnored && before?.level === user?.level) return fail(errors.passwordIgnored)
  const changed = { before: noted(before), after: noted(user, isIgnored ? {} : secret) }
  const recorded = await change.tx(change.caller, async (tx) => {
    const done = await host.record(tx, changed)
    return done.ok ? ok(user) : done
  })
  return recorded.ok && isIgnored ? fail(errors.passwordIgnored) : recorded
}

const noted = (user: CameraUser | undefined, secret: { readonly password?: string } = {}) =>
  user === undefined ? null : { username: user.username, level: user.level, ...secret }

const found = ({ noun }: UserHost, changed: Result<CameraUser | undefined, ApiError>): Result<CameraUser, ApiError> => {
  if (!changed.ok) return changed
  return changed.value === undefined ? fail(userErrors(noun).incomplete) : ok(changed.value)
}
