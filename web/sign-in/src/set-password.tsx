import {
  type PasswordSetPage,
  type SetPasswordField,
  type SetPasswordPage,
  setPasswordFields,
} from '@sightline/contract/sign-in-pages'
import { Frame } from './frame.tsx'
import { texts } from './texts.ts'

/** Longer than the rules allow: a pasted password that is too long gets an error instead of being cut off silently. */
const PASSWORD_LENGTH = 128

/** The error replaces the hint. */
function Field({ page, name, hint }: { page: SetPasswordPage; name: SetPasswordField; hint?: string }) {
  const t = texts[page.language]
  const problem = page.problems[name]
  const below = problem === undefined ? hint : (t.firstRun.problems[problem] ?? problem)
  const belowId = `${name}-below`
  return (
    <div className="field">
      <label htmlFor={name}>{t.setPassword.labels[name]}</label>
      <input
        id={name}
        name={name}
        type="password"
        dir="ltr"
        autoComplete="new-password"
        maxLength={PASSWORD_LENGTH}
        required
        // biome-ignore lint/a11y/noAutofocus: the page's only purpose is this form
        autoFocus={name === focused(page)}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={below === undefined ? undefined : belowId}
      />
      {below !== undefined && (
        <p className={problem === undefined ? 'below muted' : 'below wrong'} id={belowId}>
          {below}
        </p>
      )}
    </div>
  )
}

/** The first invalid field; on the first visit, the first field. */
const focused = ({ problems }: SetPasswordPage): SetPasswordField =>
  setPasswordFields.find((name) => problems[name] !== undefined) ?? setPasswordFields[0]

function alertOf(page: SetPasswordPage): string | undefined {
  const t = texts[page.language]
  if (page.isBusy === true) return t.busy
  return Object.keys(page.problems).length > 0 ? t.firstRun.checkFields : undefined
}

/** The email address is a read-only field, so that password managers save the password with it. */
export function SetPassword(page: SetPasswordPage) {
  const t = texts[page.language]
  const title = t.setPassword.titles[page.kind]
  const alert = alertOf(page)
  return (
    <Frame frame={page} title={title}>
      <h1>{title}</h1>
      <p>{t.setPassword.intros[page.kind]}</p>
      <form method="post" action={page.action}>
        {alert !== undefined && (
          <p className="problem" role="alert">
            {alert}
          </p>
        )}
        <div className="field">
          <label htmlFor="email">{t.email}</label>
          <input id="email" type="email" dir="ltr" autoComplete="username" readOnly defaultValue={page.email} />
        </div>
        <Field page={page} name="password" hint={t.firstRun.passwordHint} />
        <Field page={page} name="confirmation" />
        <button type="submit">{t.setPassword.save}</button>
      </form>
    </Frame>
  )
}

export function PasswordSet(page: PasswordSetPage) {
  const t = texts[page.language]
  return (
    <Frame frame={page} title={t.setPassword.doneTitle}>
      <h1>{t.setPassword.doneTitle}</h1>
      <p role="status">{t.setPassword.done}</p>
      <a className="button" href={page.signInHref}>
        {t.signIn}
      </a>
    </Frame>
  )
}
