import type { SignInPages } from '@sightline/contract/sign-in-pages'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { ConfirmEmail, EmailAnswered } from './confirm-email.tsx'
import { Consent } from './consent.tsx'
import { FirstRun } from './first-run.tsx'
import { ForgotPassword, ResetAsked } from './forgot-password.tsx'
import { Lockdown, LockdownDonePage } from './lockdown.tsx'
import { ChooseAccount, ConfirmLogout, ErrorScreen, SignedOutPage, SignIn } from './pages.tsx'
import { SecondFactor } from './second-factor.tsx'
import { PasswordSet, SetPassword } from './set-password.tsx'

const asDocument = (page: ReactElement): string => `<!doctype html>${renderToStaticMarkup(page)}`

/** The authorization server's pages as plain HTML documents. They need no script and contain none. */
export const signInPages: SignInPages = {
  signIn: (page) => asDocument(<SignIn {...page} />),
  secondFactor: (page) => asDocument(<SecondFactor {...page} />),
  chooseAccount: (page) => asDocument(<ChooseAccount {...page} />),
  consent: (page) => asDocument(<Consent {...page} />),
  error: (page) => asDocument(<ErrorScreen {...page} />),
  confirmLogout: (page) => asDocument(<ConfirmLogout {...page} />),
  loggedOut: (page) => asDocument(<SignedOutPage {...page} />),
  forgotPassword: (page) => asDocument(<ForgotPassword {...page} />),
  resetAsked: (page) => asDocument(<ResetAsked {...page} />),
  setPassword: (page) => asDocument(<SetPassword {...page} />),
  passwordSet: (page) => asDocument(<PasswordSet {...page} />),
  confirmEmail: (page) => asDocument(<ConfirmEmail {...page} />),
  emailAnswered: (page) => asDocument(<EmailAnswered {...page} />),
  lockdown: (page) => asDocument(<Lockdown {...page} />),
  lockedDown: (page) => asDocument(<LockdownDonePage {...page} />),
  firstRun: (page) => asDocument(<FirstRun {...page} />),
}
