import type {
  ChooseAccountPage,
  ConfirmLogoutPage,
  ErrorPage,
  LoggedOutPage,
  SignInPage,
} from '@sightline/contract/sign-in-pages'
import { Frame } from './frame.tsx'
import { GuestAccess } from './guest-access.tsx'
import { PasskeyForm } from './passkey-form.tsx'
import { problemText } from './problem-text.ts'
import { fill, texts } from './texts.ts'

const PROBLEM_ID = 'problem'

/** Not after a rejected passkey: browsers would offer the same one again. Its button remains. */
const offersPasskeys = ({ passkeyHref, problem }: SignInPage): boolean =>
  passkeyHref !== undefined && problem?.kind !== 'passkey'

/**
 * After a failed attempt, the user has to type the password again, so the password has the focus and describes the
 * problem.
 */
export function SignIn(page: SignInPage) {
  const t = texts[page.language]
  const { problem } = page
  const invalid = problem?.kind === 'incorrect' ? true : undefined
  const described = problem === undefined ? undefined : PROBLEM_ID
  const typed = page.email !== ''
  const ofCompany = { company: page.theme.companyName }
  return (
    <Frame frame={page} title={t.signInTitle} description={fill(t.signInDescription, ofCompany)}>
      <h1>{fill(t.signInTo, ofCompany)}</h1>
      <form method="post" action={page.action}>
        {problem !== undefined && (
          <p className="problem" id={PROBLEM_ID} role="alert">
            {problemText(problem, page.language, t.incorrect)}
            {problem.kind === 'staff' && (
              <>
                {' '}
                <a href={problem.href}>{t.staff.link}</a>
              </>
            )}
          </p>
        )}
        <div className="field">
          <label htmlFor="email">{t.email}</label>
          <input
            id="email"
            name="email"
            type="email"
            dir="ltr"
            autoComplete={offersPasskeys(page) ? 'username webauthn' : 'username'}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={255}
            required
            // biome-ignore lint/a11y/noAutofocus: the page's only purpose is this form
            autoFocus={!typed}
            defaultValue={page.email}
            aria-invalid={invalid}
            aria-describedby={described}
          />
        </div>
        <div className="field">
          <label htmlFor="password">{t.password}</label>
          <input
            id="password"
            name="password"
            type="password"
            dir="ltr"
            autoComplete="current-password"
            maxLength={128}
            required
            // biome-ignore lint/a11y/noAutofocus: after a failed try the password is what has to be typed again
            autoFocus={typed}
            aria-invalid={invalid}
            aria-describedby={described}
          />
        </div>
        <button type="submit">{t.signIn}</button>
      </form>
      {page.passkeyHref !== undefined && <PasskeyForm page={page} href={page.passkeyHref} isMain={false} />}
      <p className="ways">
        <a className="plain" href={page.forgotHref}>
          {t.forgot.link}
        </a>
      </p>
      {page.demonstrations !== undefined && <GuestAccess page={page} demonstrations={page.demonstrations} />}
    </Frame>
  )
}

export function ChooseAccount(page: ChooseAccountPage) {
  const t = texts[page.language]
  return (
    <Frame frame={page} title={t.chooseTitle}>
      <h1>{t.chooseTitle}</h1>
      <form method="post" action={page.action}>
        <fieldset>
          <legend>{t.chooseIntro}</legend>
          {page.accounts.map((account, index) => (
            <label className="choice" key={account.userId}>
              <input type="radio" name="userId" value={account.userId} required defaultChecked={index === 0} />
              <span>
                {account.name}
                <small>{account.brand}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <button type="submit">{t.continue}</button>
      </form>
    </Frame>
  )
}

export function ErrorScreen(page: ErrorPage) {
  const t = texts[page.language]
  return (
    <Frame frame={page} title={t.errorTitle}>
      <h1>{t.errorTitle}</h1>
      <p role="alert">{t.errors[page.kind]}</p>
      {page.requestId !== undefined && <p className="muted">{fill(t.reference, { id: page.requestId })}</p>}
      <a className="button" href="/">
        {t.backToStart}
      </a>
      {(page.kind === 'passwordLink' || page.kind === 'lockdownLink') && (
        <p className="ways">
          <a className="plain" href={`/sign-in/forgot?lang=${page.language}`}>
            {t.forgot.link}
          </a>
        </p>
      )}
    </Frame>
  )
}

/** Neither button has the focus: the user has to read first who asks for what. */
export function ConfirmLogout(page: ConfirmLogoutPage) {
  const t = texts[page.language].confirmLogout
  return (
    <Frame frame={page} title={t.title}>
      <h1>{t.title}</h1>
      <p>{fill(t.text, { email: page.email })}</p>
      <form method="post" action={page.action}>
        <button type="submit">{t.signOut}</button>
      </form>
      <p className="ways">
        <a className="plain" href={page.stayHref}>
          {t.stay}
        </a>
      </p>
    </Frame>
  )
}

export function SignedOutPage(page: LoggedOutPage) {
  const t = texts[page.language]
  return (
    <Frame frame={page} title={t.loggedOutTitle}>
      <h1>{t.loggedOutTitle}</h1>
      <p>{t.loggedOut}</p>
      <a className="button" href={page.backHref}>
        {t.signInAgain}
      </a>
    </Frame>
  )
}
