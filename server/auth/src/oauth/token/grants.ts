import { PASSWORDS_BUSY_RETRY_S } from '@sightline/contract/auth-plane'
import type { Clock } from '@sightline/platform/clock'
import type { Logger } from '@sightline/platform/log'
import { isAllowedAddress } from '@sightline/platform/sessions'
import type Provider from 'oidc-provider'
import { errors, type KoaContextWithOIDC, type TokenEndpointGrantContext } from 'oidc-provider'
import { checkSecondFactor, type SecondFactorDeps } from '../../factors/mfa/index.ts'
import type { WriteAudit } from '../../people/audit/index.ts'
import type { AuthUser, Lookup } from '../../people/index.ts'
import { type CheckDeps, checkAttempt } from '../../sign-in/index.ts'
import { type HistoryDeps, recordFailures, recordSignIn } from '../../sign-in/sign-in-history/index.ts'
import { OverloadedError, TooManyTries } from './too-many-tries.ts'

export interface GrantDeps extends CheckDeps, SecondFactorDeps, HistoryDeps {
  readonly audit: WriteAudit
  readonly clock: Clock
  readonly log: Logger
  readonly findByUserId: (userId: number) => Promise<AuthUser | undefined>
}

/** Where a client's users are searched: the reseller of the host or of the client. */
export type GetLookup = (ctx: KoaContextWithOIDC) => Lookup

/** The user and address range of a client that acts on its own; no user if undefined. */
export interface OwnAccess {
  readonly userId?: number
  readonly apiKey?: { readonly allowedAddresses: readonly string[] }
}

export interface AboutClients {
  readonly among: GetLookup
  readonly ownAccess: (ctx: KoaContextWithOIDC) => OwnAccess
  /** An API key got a token. */
  readonly noteKeyUse: (ctx: KoaContextWithOIDC) => Promise<void>
}

/** The user with a verified password, and the generation of sign-ins: once that ends, nothing is issued. */
export type CheckedLogin = Pick<AuthUser, 'userId' | 'generation'>

const checkedLogins = new WeakMap<KoaContextWithOIDC, CheckedLogin>()
export const getCheckedLogin = (ctx: KoaContextWithOIDC): CheckedLogin | undefined => checkedLogins.get(ctx)

/**
 * The two grants that sign a user in without a page: with a password (RFC 6749 §4.3) and as a client's own user (§4.4).
 */
export function registerGrants(provider: Provider, deps: GrantDeps, about: AboutClients): void {
  provider.registerGrantType<PasswordParams & { scope?: string }>(
    'password',
    (ctx) => passwordGrant(ctx, deps, about.among),
    ['username', 'password', 'mfa_code', 'scope'],
  )
  provider.registerGrantType<{ scope?: string }>('client_credentials', (ctx) => clientCredentials(ctx, deps, about), [
    'scope',
  ])
}

/** `mfa_code` applies to users with a second factor; otherwise it is ignored. */
interface PasswordParams {
  readonly username?: string
  readonly password?: string
  readonly mfa_code?: string
}

async function passwordGrant(
  ctx: TokenEndpointGrantContext<PasswordParams>,
  deps: GrantDeps,
  among: GetLookup,
): Promise<void> {
  const { username, password } = ctx.oidc.params
  if (username === undefined || password === undefined) {
    throw new errors.InvalidRequest('username and password are needed')
  }
  const scope = scopeOf(ctx)
  // Only confidential clients may send passwords, and this one has just authenticated.
  const throughClient = ctx.oidc.client.clientId
  const attempt = { email: username, password, among: among(ctx), address: ctx.ip, throughClient }
  const checked = await checkAttempt(attempt, deps)
  switch (checked.kind) {
    case 'locked':
      writeFailures(ctx, deps, { known: checked.known, outcome: 'locked' })
      throw new TooManyTries(checked.retryAfterS)
    case 'busy':
      throw new OverloadedError(PASSWORDS_BUSY_RETRY_S)
    case 'incorrect':
      writeFailures(ctx, deps, { known: checked.known, outcome: 'wrongPassword' })
      throw refused(WRONG)
    case 'suspended':
      throw refused('the account of this user is suspended')
    case 'staff':
      throw refused(WRONG)
    case 'fits': {
      const person = onlyOneMeant(checked.people)
      if (person === undefined) {
        throw refused('username and password match several accounts: use the host of the brand')
      }
      if (person.hasSecondFactor) await demandCode(ctx, deps, { person, isOnlyOne: checked.isOnlyOne })
      checkedLogins.set(ctx, person)
      await writeLogin(ctx, deps, person)
      return issue(ctx, { person, scope, gty: 'password' })
    }
  }
}

/**
 * An account's user takes precedence over staff with the same address and password, because an installation's first
 * user is both and a client that sends passwords can't ask.
 */
function onlyOneMeant(people: readonly AuthUser[]): AuthUser | undefined {
  const members = people.filter(({ isStaff }) => !isStaff)
  const [person, ...others] = members.length > 0 ? members : people
  return others.length === 0 ? person : undefined
}

/** @throws the error response for a missing or wrong code. */
async function demandCode(
  ctx: TokenEndpointGrantContext<PasswordParams>,
  deps: GrantDeps,
  of: { readonly person: AuthUser; readonly isOnlyOne: boolean },
): Promise<void> {
  const { mfa_code: code } = ctx.oidc.params
  if (code === undefined || code === '') throw refused('two-factor authentication is on: send mfa_code as well')
  const { clientId } = ctx.oidc.client
  const from = { address: ctx.ip, host: ctx.host, clientId, throughClient: clientId }
  const verdict = await checkSecondFactor({ ...of, ...from, code }, deps)
  switch (verdict.kind) {
    case 'right':
      return
    case 'locked':
      throw new TooManyTries(verdict.retryAfterS)
    case 'busy':
      throw new OverloadedError(PASSWORDS_BUSY_RETRY_S)
    case 'wrong':
      writeFailures(ctx, deps, { known: [of.person], outcome: 'wrongCode' })
      throw refused('mfa_code is wrong or has already been used')
  }
}

async function clientCredentials(ctx: TokenEndpointGrantContext, deps: GrantDeps, about: AboutClients): Promise<void> {
  const { userId, apiKey } = about.ownAccess(ctx)
  if (apiKey !== undefined && !isAllowedAddress(ctx.ip, apiKey.allowedAddresses)) {
    const description = 'this API key is not allowed from this address'
    const elsewhere = new errors.UnauthorizedClient(description)
    elsewhere.error_description = description
    throw elsewhere
  }
  const person = userId === undefined ? undefined : await deps.findByUserId(userId)
  if (!person?.maySignIn) throw refused("the user this client acts as can't sign in")
  await issue(ctx, { person, scope: scopeOf(ctx), gty: 'client_credentials' })
  if (apiKey !== undefined) await about.noteKeyUse(ctx)
}

const WRONG = 'username or password is wrong'

function refused(description: string): errors.InvalidGrant {
  const refusal = new errors.InvalidGrant(description)
  refusal.error_description = description
  return refusal
}

/** The requested scopes, or all that the client may have; `openid` is for sign-in by a page. */
function scopeOf(ctx: TokenEndpointGrantContext<{ scope?: string }>): string {
  const allowed = (ctx.oidc.client.scope ?? '').split(' ').filter((scope) => scope !== 'openid')
  const asked = ctx.oidc.params.scope?.split(' ').filter((scope) => scope !== '') ?? []
  const foreign = asked.find((scope) => !allowed.includes(scope))
  if (foreign !== undefined) throw new errors.InvalidScope('requested scope is not allowed', foreign)
  return (asked.length === 0 ? allowed : [...new Set(asked)]).join(' ')
}

async function issue(
  ctx: TokenEndpointGrantContext,
  given: { readonly person: AuthUser; readonly scope: string; readonly gty: string },
): Promise<void> {
  const { provider, client } = ctx.oidc
  const { scope, gty } = given
  const accountId = String(given.person.userId)
  const grant = new provider.Grant({ accountId, clientId: client.clientId })
  grant.addOIDCScope(scope)
  const grantId = await grant.save().catch((error: unknown) => {
    // Another password was set, or everything signed out, while this one was being checked.
    throw error instanceof errors.SessionNotFound ? refused(WRONG) : error
  })
  const common = { client, accountId, grantId, scope, gty }
  const access = new provider.AccessToken(common)
  ctx.oidc.entity('AccessToken', access)
  const accessToken = await access.save()
  const mayRefresh = gty === 'password' && client.grantTypeAllowed('refresh_token')
  const refresh = mayRefresh ? { refresh_token: await new provider.RefreshToken(common).save() } : {}
  ctx.body = { access_token: accessToken, token_type: 'bearer', ...refresh, expires_in: access.expiration, scope }
}

async function writeLogin(ctx: TokenEndpointGrantContext, deps: GrantDeps, person: AuthUser): Promise<void> {
  const { accountId, userId } = person
  const { clientId } = ctx.oidc.client
  await deps.audit({ accountId, userId, action: 'login', clientId, address: ctx.ip })
  const method = person.hasSecondFactor ? 'passwordAndCode' : 'password'
  await recordSignIn(person, { method, clientId, sender: senderOf(ctx), cookie: undefined, host: ctx.host }, deps)
}

const senderOf = (ctx: TokenEndpointGrantContext) => ({ address: ctx.ip, userAgent: ctx.get('user-agent') })

/** After the response, because the time of the write would distinguish known addresses from unknown ones. */
function writeFailures(
  ctx: TokenEndpointGrantContext,
  deps: GrantDeps,
  failed: { readonly known: readonly AuthUser[]; readonly outcome: 'wrongPassword' | 'wrongCode' | 'locked' },
): void {
  const { clientId } = ctx.oidc.client
  const sender = senderOf(ctx)
  const { known, outcome } = failed
  const write = async () => {
    const method = outcome === 'wrongCode' ? 'passwordAndCode' : 'password'
    await recordFailures(known, { outcome, method, clientId, sender }, deps)
    // Tries that weren't checked would flood the log.
    if (outcome === 'locked') return
    for (const { accountId, userId } of known)
      await deps.audit({ accountId, userId, action: 'loginFailed', clientId, address: sender.address })
  }
  ctx.res.once('close', () => {
    write().catch((err: unknown) => deps.log.error({ err }, 'could not record a failed sign-in'))
  })
}
