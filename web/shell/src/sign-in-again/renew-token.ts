import { type Client, createClient, type LentToken, type SignInSession } from '@sightline/client'
import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import { getUser, type UserBase } from '@sightline/contract/users'
import { hasUnsavedChanges } from '@sightline/kit'
import type { QueryClient } from '@tanstack/react-query'
import { accountQueries } from '../account-queries.ts'
import { wasSupportSession } from '../support/support-session.ts'
import { signInQuestion } from './sign-in-question.ts'

/** The application whose token is invalid. */
interface Renewing {
  readonly config: Pick<RuntimeConfig, 'apiServer'>
  readonly session: SignInSession
  readonly client: Client
  readonly queries: QueryClient
}

/** A call that needs a valid token. */
export interface Waiting {
  /** The rejected token; undefined if it has expired. */
  readonly dead: string | undefined
  /** The call changes something, so the user's input would be lost without it. */
  readonly isWrite: boolean
}

let underWay: Promise<boolean> | undefined
let isWriteWaiting = false

/**
 * Replaces an invalid token without leaving the page: silently while the sign-in at the auth server is valid, otherwise
 * by asking the user to sign in in a separate window, if there is input to lose. False if the session has ended.
 */
export function renewToken(application: Renewing, { dead, isWrite }: Waiting): Promise<boolean> {
  isWriteWaiting ||= isWrite
  underWay ??= renew(application, dead).finally(() => {
    underWay = undefined
    isWriteWaiting = false
  })
  return underWay
}

async function renew(application: Renewing, dead: string | undefined): Promise<boolean> {
  const { session, queries, client } = application
  // Support has no sign-in here, and neither does a page in another site's frame.
  if (wasSupportSession(queries) || window.parent !== window) return false
  const person = personIn(queries, client)
  const current = session.token()
  if (current !== undefined && current !== dead) return isOf(person, await personOf(application, current))
  const silent = await session.renewSilently()
  if (silent !== undefined && isOf(person, await personOf(application, silent.token))) return take(application, silent)
  if (!(isWriteWaiting || hasUnsavedChanges())) return false
  return signInQuestion.ask({ dead, person, check: (token) => personOf(application, token) })
}

function take({ session }: Renewing, token: LentToken): boolean {
  session.take(token)
  return true
}

const personIn = (queries: QueryClient, client: Client): UserBase | undefined =>
  queries.getQueryData(accountQueries(client).user.queryKey)

/** If the user is unknown, their input must not be saved as another user's. */
const isOf = (before: UserBase | undefined, now: UserBase | undefined): boolean =>
  now !== undefined && (before === undefined || before.userId === now.userId)

/** The user of a token; undefined if it is invalid. */
function personOf({ config }: Renewing, token: string): Promise<UserBase | undefined> {
  const client = createClient({ apiServer: config.apiServer, token: () => token, onInvalidToken: () => undefined })
  return client.call(getUser).catch(() => undefined)
}
