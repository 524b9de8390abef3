import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AuthPlane } from '@sightline/contract/auth-plane'
import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import type { SignInPages } from '@sightline/contract/sign-in-pages'
import type { BrandSource } from '@sightline/platform/brands'
import { type Clock, MS_PER_MINUTE, repeatEvery } from '@sightline/platform/clock'
import { type Db, type IdSource, idSource } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { type ServedRoute, withChangeDeps } from '@sightline/platform/http'
import type { JobTasks } from '@sightline/platform/jobs'
import { createSemaphore } from '@sightline/platform/limits'
import type { Logger } from '@sightline/platform/log'
import type { MailOutbox } from '@sightline/platform/mail'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { endLinksOfSignIns, sweepLinks } from './account-mails/action-links/index.ts'
import { accountMailTasks, sweepRequests } from './account-mails/index.ts'
import { lockdown } from './account-mails/lockdown/index.ts'
import { authPlane } from './auth-plane/index.ts'
import { credentials } from './factors/credentials/index.ts'
import { failures } from './factors/failures/index.ts'
import { type ResetDeps, resetSecondFactor as resetFactor, secondFactor } from './factors/mfa/index.ts'
import { passkeys } from './factors/passkeys/index.ts'
import { openPasswords, type PasswordCost } from './factors/passwords/index.ts'
import { recoveryCodes } from './factors/recovery-codes/index.ts'
import { getErrorKind, type HttpDeps, handleHttp } from './http.ts'
import { apiKeys } from './oauth/api-keys/index.ts'
import { clientOrigins } from './oauth/clients/index.ts'
import { connectedApps } from './oauth/connected-apps/index.ts'
import { type ProviderFailure, providers } from './oauth/provider/index.ts'
import type { AuthSecrets } from './oauth/provider/secrets.ts'
import { tokens } from './oauth/tokens/index.ts'
import { auditWriter } from './people/audit/index.ts'
import { type AuthUser, findByEmail, findByUserId, type Lookup } from './people/index.ts'
import { requestLimit } from './request-limit.ts'
import { type OnRevoked, type Sessions, sessionCalls, sessions } from './sessions/index.ts'
import { type GeoLocator, localGeoLocator } from './sessions/request-origin/index.ts'
import { supportSessions } from './sessions/support-sessions/index.ts'
import { signInAttempts } from './sign-in/index.ts'
import { signInHistory } from './sign-in/sign-in-history/index.ts'
import { sendError } from './sign-in-pages/index.ts'

export { isCommonPassword } from './factors/credentials/index.ts'
export { type Failures, failures } from './factors/failures/index.ts'
export { PASSWORD_COST } from './factors/passwords/index.ts'
export {
  addClient,
  type ClientRegistration,
  checkRegistration,
  clientKinds,
  clientScopes,
  listClients,
  newClientId,
  newClientSecret,
  type RegisteredClient,
  removeClient,
  replaceSecret,
} from './oauth/clients/index.ts'
export { type AuthUser, findByEmail, findByUserId } from './people/index.ts'
export type { OnRevoked, Revocation } from './sessions/index.ts'
export { type GeoLocator, openGeoLocator } from './sessions/request-origin/index.ts'
export { createPageFrame, getPageHref, isSameOrigin, readFields, sendError, sendPage } from './sign-in-pages/index.ts'

/** The operator's settings for tokens. */
export interface TokenSettings {
  /** How our own applications get their tokens (decision 12); with `token` the code flow works too. */
  readonly authFlow: RuntimeConfig['authFlow']
  /** Whether `/oauth/token` accepts parameters in the query, which proxies log. */
  readonly tokenParametersInQuery: boolean
  /** Most sign-ins that one address begins, in the long run; other requests and bursts follow from it. Undefined is without end. */
  readonly signInsPerSecond?: number | undefined
}

export interface AuthDeps {
  /** Under the role `auth`. */
  readonly db: Db
  /** The metrics of that database; defaults to its own. */
  readonly ids?: IdSource
  readonly secrets: AuthSecrets
  /** With the installation's key; encrypts the seeds of second factors. */
  readonly encryption: EnvelopeEncryption
  readonly brands: BrandSource
  readonly pages: SignInPages
  /** Receives the emails with password links. */
  readonly outbox: MailOutbox
  readonly log: Logger
  readonly clock: Clock
  /** Locates addresses; by default only local ones are recognized. */
  readonly geoLocator?: GeoLocator
  /** Defaults to code flow and parameters in the body. */
  readonly settings?: TokenSettings
  /** Defaults to `PASSWORD_COST`, as always in the product; only tests of other rules hash cheaply. */
  readonly passwordCost?: PasswordCost
  /** Told after each revocation is durable. */
  readonly onRevoked: OnRevoked
}

export interface Auth extends AsyncDisposable {
  /**
   * Handles `/oauth/…`, `/auth/…`, `/sign-in/…` and `/.well-known/…`; only the edge may reach it, because its forwarded
   * headers are trusted.
   */
  handleHttp(req: IncomingMessage, res: ServerResponse): void
  /** The calls of the contract that this plane answers. */
  readonly served: readonly ServedRoute[]
  readonly plane: AuthPlane
  /** Jobs of this plane. */
  readonly tasks: JobTasks
  /** Whether pages of that origin belong to a client that the operator registered. */
  readonly isClientOrigin: (origin: string) => Promise<boolean>
}

const PLAIN: TokenSettings = { authFlow: 'code', tokenParametersInQuery: false }
/** Requests that start a sign-in or show its page; few of them may hold up a signed-in user's call. */
const VISITS = { concurrency: 6, queue: 500 }
const SWEEP_MS = 10 * MS_PER_MINUTE

/** Starts the authorization server. Its only lasting state is the rows of schema `auth`. */
export async function openAuth(deps: AuthDeps): Promise<Auth> {
  const { db, clock, log } = deps
  const ids = deps.ids ?? idSource(db)
  const common = {
    db,
    clock,
    log,
    failures: failures(db, clock),
    passwords: await openPasswords(deps.passwordCost),
    attempts: signInAttempts(),
    sessions: sessionsOf(db, deps.onRevoked),
    audit: auditWriter(db, ids),
    ids,
    encryption: deps.encryption,
    brands: deps.brands,
    outbox: deps.outbox,
    geoLocator: deps.geoLocator ?? localGeoLocator,
  }
  const renderError = (ctx: KoaContextWithOIDC, failure: ProviderFailure) => showError(ctx, failure, deps)
  const settings = deps.settings ?? PLAIN
  const people = {
    findByEmail: (emailFolded: string, among: Lookup) => findByEmail(db, emailFolded, among),
    findByUserId: (userId: number) => findByUserId(db, userId),
  }
  const ownTokenCallback = settings.authFlow === 'token'
  const http: HttpDeps = {
    ...common,
    ...people,
    pages: deps.pages,
    providers: providers({ ...common, ...people, secrets: deps.secrets, ownTokenCallback, renderError }),
    tokenParametersInQuery: settings.tokenParametersInQuery,
    visits: createSemaphore<'visit'>({ overall: VISITS }),
    requestLimit:
      settings.signInsPerSecond === undefined
        ? undefined
        : requestLimit(settings.signInsPerSecond, () => performance.now()),
  }
  const closing = new AbortController()
  const sweeping = sweepUntil(closing.signal, common)
  return {
    handleHttp: (req, res) => void handleHttp(req, res, http),
    served: withChangeDeps(
      [
        ...credentials(common),
        ...tokens(common),
        ...sessionCalls(common),
        ...signInHistory(common),
        ...lockdown(common),
        ...secondFactor(common),
        ...passkeys(common),
        ...recoveryCodes(common),
        ...connectedApps(common),
        ...supportSessions(common),
        ...apiKeys(common),
      ],
      common,
    ),
    plane: authPlane(common),
    tasks: accountMailTasks(common),
    isClientOrigin: clientOrigins(db, clock),
    async [Symbol.asyncDispose]() {
      closing.abort()
      await sweeping
    },
  }
}

/** The provider's own error page would have its look and be in English; ours has the brand's. */
async function showError(ctx: KoaContextWithOIDC, failure: ProviderFailure, deps: AuthDeps): Promise<void> {
  const brand = await deps.brands.forHost(ctx.host)
  const kind = getErrorKind(failure)
  const status = ctx.status
  // Otherwise Koa would send its own reply after ours.
  ctx.respond = false
  sendError({ req: ctx.req, res: ctx.res, brand }, deps, { kind, status: Math.max(400, status) })
}

const sessionsOf = (db: Db, onRevoked: OnRevoked): Sessions => sessions({ db, onRevoked, endLinks: endLinksOfSignIns })

export type SecondFactorResetDeps = Omit<ResetDeps, 'sessions'>

/** Removes a user's second factor; the services alongside notice the ended sign-ins, so no notification is needed. */
export const resetSecondFactor = (person: AuthUser, deps: SecondFactorResetDeps): Promise<boolean> =>
  resetFactor(person, { ...deps, sessions: sessionsOf(deps.db, () => undefined) })

function sweepUntil(
  signal: AbortSignal,
  {
    db,
    clock,
    log,
    sessions,
  }: { readonly db: Db; readonly clock: Clock; readonly log: Logger; readonly sessions: Sessions },
): Promise<void> {
  const sweeps = {
    'expired sign-ins': () => sessions.sweep(),
    'expired email links': () => sweepLinks(db.plain),
    'email requests without a job': () => sweepRequests({ db, clock }),
  }
  return repeatEvery(signal, SWEEP_MS, async () => {
    const each = Object.entries(sweeps).map(([what, sweep]) =>
      sweep().catch((err: unknown) => log.warn({ err }, `could not delete ${what}`)),
    )
    await Promise.all(each)
  })
}
