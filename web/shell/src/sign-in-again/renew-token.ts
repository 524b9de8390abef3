import { type Client, createClient, type LentToken, type Session } from '@sightline/client'
import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import { getUser, type UserBase } from '@sightline/contract/users'
import { hasUnsavedChanges } from '@sightline/kit'
import type { QueryClient } from '@tanstack/react-query'
import { accountQueries } from '../account-queries.ts'
import { wasSupportSession } from '../support/support-session.ts'
import { signInQuestion } from './sign-in-question.ts'

/** Of the application whose token died. */
interface Renewing {
  readonly config: Pick<RuntimeConfig, 'apiServer'>
  readonly session: Session
  readonly client: Client
  readonly queries: QueryClient
}

/** A call that needs a living token. */
export interface Waiting {
  /** The token that was refused; undefined where its time is over. */
  readonly dead: string | undefined
  /** It changes something: what was typed for it is lost unless it goes on. */
  readonly isWrite: boolean
}

let underWay: Promise<boolean> | undefined
let isWriteWaiting = false

/**
 * Brings a living token in place of a dead one, beside what somebody is doing: silently while the sign-in at the auth
 * server lives, else by asking them to sign in beside the page, where there is something to lose. False where the session
 * is over.
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
  // Neither has support a sign-in here, nor a page in the frame of another site.
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

/** Where nobody is known to be signed in, nothing of anybody can be saved as somebody else. */
const isOf = (before: UserBase | undefined, now: UserBase | undefined): boolean =>
  now !== undefined && (before === undefined || before.userId === now.userId)

/** Whose token it is; undefined where it is none. */
function personOf({ config }: Renewing, token: string): Promise<UserBase | undefined> {
  const client = createClient({ apiServer: config.apiServer, token: () => token, onInvalidToken: () => undefined })
  return client.call(getUser).catch(() => undefined)
}
