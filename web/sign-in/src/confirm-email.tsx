import type { ConfirmEmailPage, EmailAnsweredPage } from '@sightline/contract/sign-in-pages'
import { Frame } from './frame.tsx'
import { fill, texts } from './texts.ts'

/** Neither button has the focus, so an accidental key press gives no answer. */
export function ConfirmEmail(page: ConfirmEmailPage) {
  const t = texts[page.language].emailChange
  return (
    <Frame frame={page} title={t.title}>
      <h1>{t.title}</h1>
      <p>{fill(t.intro, { asker: page.askedBy })}</p>
      <form method="post" action={page.action}>
        {page.isTaken && (
          <p className="problem" role="alert">
            {t.taken}
          </p>
        )}
        <dl>
          <dt>{t.present}</dt>
          <dd dir="ltr">{page.email}</dd>
          <dt>{t.wanted}</dt>
          <dd dir="ltr">
            <strong>{page.newEmail}</strong>
          </dd>
        </dl>
        <p className="muted">{t.warning}</p>
        <div className="pair">
          <button type="submit" name="decision" value="refuse" className="secondary">
            {t.refuse}
          </button>
          <button type="submit" name="decision" value="confirm">
            {t.confirm}
          </button>
        </div>
      </form>
    </Frame>
  )
}

export function EmailAnswered(page: EmailAnsweredPage) {
  const { emailChange, signIn } = texts[page.language]
  const t = emailChange[page.outcome]
  return (
    <Frame frame={page} title={t.title}>
      <h1>{t.title}</h1>
      <p role="status">{fill(t.text, { email: page.email })}</p>
      <a className="button" href={page.signInHref}>
        {signIn}
      </a>
    </Frame>
  )
}
