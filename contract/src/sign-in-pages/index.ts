import type { BrandTheme } from '../theme/index.ts'

/** Languages that the authorization server's pages speak. */
export const signInLanguages = ['en', 'de', 'es', 'ja', 'nl', 'pl', 'pt', 'tr'] as const
export type SignInLanguage = (typeof signInLanguages)[number]

/** What every page of the authorization server shows around its content. */
export interface PageFrame {
  readonly language: SignInLanguage
  /** The same page in the other languages. */
  readonly otherLanguages: readonly { readonly language: SignInLanguage; readonly href: string }[]
  readonly theme: BrandTheme
  /** For the one style element, and the script if there is one, in the content security policy. */
  readonly nonce: string
}

/** Why the last try did not sign in. `incorrect` never says which of the two was wrong. */
export type SignInProblem =
  | { readonly kind: 'incorrect' }
  | { readonly kind: 'locked'; readonly minutes: number }
  | { readonly kind: 'busy' }
  /** The password is right, or the browser is signed in; the account is suspended by that company. */
  | { readonly kind: 'suspended'; readonly company: string }
  /** The password is right, and of staff of that company: `href` is their application. */
  | { readonly kind: 'staff'; readonly company: string; readonly href: string }
  /** A passkey was rejected, without the reason. */
  | { readonly kind: 'passkey' }
  /** The demo is no longer public. */
  | { readonly kind: 'demonstration' }

export interface SignInPage extends PageFrame {
  /** Where the form is posted: `email` and `password`, or `passkey`, or `demonstration` with the account. */
  readonly action: string
  /** What was typed before, to be shown again; the password never is. */
  readonly email: string
  /** Where the user can request a link for a new password. */
  readonly forgotHref: string
  /** Where the page's script gets the request for a passkey (POST); omitted for hosts that can't have passkeys. */
  readonly passkeyHref?: string
  /** The public demos that can be visited without a password, at most a few; omitted if there are none. */
  readonly demonstrations?: readonly { readonly accountId: number; readonly name: string }[]
  readonly problem?: SignInProblem
}

/**
 * The password is right; now the page asks for a code of the authenticator app, a passkey, or a recovery code. Posts
 * `code`, or `passkey`. The problem is about the posted value.
 */
export interface SecondFactorPage extends PageFrame {
  readonly action: string
  readonly kind: 'app' | 'passkey' | 'recoveryCode'
  /** The same page for recovery codes, and from there back. */
  readonly otherHref: string
  /** Where the way back from recovery codes leads. */
  readonly mainKind: 'app' | 'passkey'
  /** As on the sign-in page; omitted if the user has no passkey for this host. */
  readonly passkeyHref?: string
  /** Hosts of the user's passkeys, shown if none of them works here. */
  readonly passkeyHosts: readonly string[]
  /** Back to address and password. */
  readonly startHref: string
  readonly problem?: SignInProblem
}

/** The password fits several accounts of different brands; the user chooses one (decision 27). */
export interface ChooseAccountPage extends PageFrame {
  readonly action: string
  readonly accounts: readonly { readonly userId: number; readonly name: string; readonly brand: string }[]
}

/**
 * The scopes of a client's consent; `openid` identifies the user, the four after it are personal data (OpenID Connect
 * Core §5.4). In the order of the page.
 */
export const consentScopes = ['openid', 'profile', 'email', 'phone', 'address', 'read', 'write'] as const
export type ConsentScope = (typeof consentScopes)[number]

/** Asks whether a third-party client may act for the signed-in user. Posts `decision`: `allow` or `refuse`. */
export interface ConsentPage extends PageFrame {
  readonly action: string
  /** As the operator registered it. */
  readonly clientName: string
  /** The signed-in user's address. */
  readonly email: string
  readonly scopes: readonly ConsentScope[]
  /** The host, or a native client's scheme, that both answers return to. */
  readonly returnsTo: string
}

export interface ErrorPage extends PageFrame {
  readonly kind:
    | 'expired'
    | 'unknownClient'
    | 'unknownAddress'
    | 'refused'
    | 'invalidRequest'
    | 'locked'
    | 'tooManyRequests'
    | 'passwordLink'
    | 'emailLink'
    | 'lockdownLink'
    | 'unexpected'
  /** Leads support to the log lines. */
  readonly requestId?: string
}

export interface LoggedOutPage extends PageFrame {
  readonly backHref: string
}

/** Asks for confirmation of a sign-out that a client requested without an id token. Posts an empty form. */
export interface ConfirmLogoutPage extends PageFrame {
  readonly action: string
  /** The signed-in user's address. */
  readonly email: string
  /** Where the user goes to stay signed in. */
  readonly stayHref: string
}

/** The fields for the first user of an installation, in the order of the page. */
export const firstRunFields = ['company', 'firstName', 'lastName', 'email', 'password', 'confirmation'] as const
export type FirstRunField = (typeof firstRunFields)[number]

/** Creates the first user of an empty installation. */
export interface FirstRunPage extends PageFrame {
  readonly action: string
  /** What was typed before, to be shown again; passwords never are. */
  readonly typed: Readonly<Partial<Record<Exclude<FirstRunField, 'password' | 'confirmation'>, string>>>
  /** What is wrong with each field, as the rules of the contract say it in English; the page translates it. */
  readonly problems: Readonly<Partial<Record<FirstRunField, string>>>
}

/** Asks for the address that a link for another password is sent to. Posts `email`. */
export interface ForgotPasswordPage extends PageFrame {
  readonly action: string
  /** What was typed before. */
  readonly email: string
  /** Back to the sign-in that the page was opened from. */
  readonly signInHref?: string
  /** `email`: what is wrong with it, as the rules of the contract say it in English. `locked`: asked too often from there. */
  readonly problem?:
    | { readonly kind: 'email'; readonly problem: string }
    | { readonly kind: 'locked'; readonly minutes: number }
}

/** The same for every address: an email is sent if the address is in use. */
export interface ResetRequestedPage extends PageFrame {
  readonly email: string
  readonly signInHref?: string
}

export const setPasswordFields = ['password', 'confirmation'] as const
export type SetPasswordField = (typeof setPasswordFields)[number]

/** Sets a password with a link from an email. */
export interface SetPasswordPage extends PageFrame {
  readonly action: string
  /** Sets the first password after an invitation, or a new one after a reset request. */
  readonly kind: 'invitation' | 'reset'
  /** The user's address, which password managers use too. */
  readonly email: string
  /** What is wrong with each field, as the rules of the contract say it in English; the page translates it. */
  readonly problems: Readonly<Partial<Record<SetPasswordField, string>>>
  /** The entered values are valid, but couldn't be processed at the moment. */
  readonly isBusy?: boolean
}

/** The password is set. */
export interface PasswordSetPage extends PageFrame {
  /** Where to sign in with it. */
  readonly signInHref: string
}

/** Asks whether the user accepts the email address that a dealer entered. Posts `decision`: `confirm` or `refuse`. */
export interface ConfirmEmailPage extends PageFrame {
  readonly action: string
  readonly email: string
  readonly newEmail: string
  /** A name. */
  readonly askedBy: string
  /** It was confirmed, but another user of the brand has that address. */
  readonly isTaken: boolean
}

/** The result; `email` is the user's address now. */
export interface EmailAnsweredPage extends PageFrame {
  readonly outcome: 'confirmed' | 'refused'
  readonly email: string
  readonly signInHref: string
}

/**
 * Asks whether a sign-in was an intruder's. Posts `apiKeys`: `end` to end them as well. Lists what ends in addition to
 * every session.
 */
export interface LockdownPage extends PageFrame {
  readonly action: string
  /** The user's address. */
  readonly email: string
  /** Names. */
  readonly apiKeys: readonly string[]
  /** How many browsers get push messages for the user. */
  readonly pushDevices: number
  readonly supportAccess: boolean
  readonly emailChange: boolean
}

/** Everyone is signed out. `isMailed`: a link for a new password was sent to `email`. */
export interface LockedDownPage extends PageFrame {
  readonly isMailed: boolean
  readonly email: string
  /** Names of those that stay, because they are older than the sign-in. */
  readonly passkeys: readonly string[]
}

/** What renders the pages to whole HTML documents that need no script, but for passkeys; built from `web/sign-in`. */
export interface SignInPages {
  signIn(page: SignInPage): string
  secondFactor(page: SecondFactorPage): string
  chooseAccount(page: ChooseAccountPage): string
  consent(page: ConsentPage): string
  error(page: ErrorPage): string
  loggedOut(page: LoggedOutPage): string
  confirmLogout(page: ConfirmLogoutPage): string
  firstRun(page: FirstRunPage): string
  forgotPassword(page: ForgotPasswordPage): string
  resetAsked(page: ResetRequestedPage): string
  setPassword(page: SetPasswordPage): string
  passwordSet(page: PasswordSetPage): string
  confirmEmail(page: ConfirmEmailPage): string
  emailAnswered(page: EmailAnsweredPage): string
  lockdown(page: LockdownPage): string
  lockedDown(page: LockedDownPage): string
}
