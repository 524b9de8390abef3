import type { ForgotPasswordPage, ResetRequestedPage } from '@sightline/contract/sign-in-pages'
import { Frame } from './frame.tsx'
import { problemText } from './problem-text.ts'
import { fill, type Texts, texts } from './texts.ts'

const PROBLEM_ID = 'problem'

function problemOf({ problem, language }: ForgotPasswordPage, t: Texts): string | undefined {
  if (problem === undefined) return undefined
  if (problem.kind === 'locked') return problemText(problem, language, '')
  return t.firstRun.problems[problem.problem] ?? problem.problem
}

function BackToSignIn({ href, t }: { href: string | undefined; t: Texts }) {
  return href === undefined ? null : (
    <p className="ways">
      <a className="plain" href={href}>
        {t.forgot.back}
      </a>
    </p>
  )
}

export function ForgotPassword(page: ForgotPasswordPage) {
  const t = texts[page.language]
  const problem = problemOf(page, t)
  return (
    <Frame frame={page} title={t.forgot.title}>
      <h1>{t.forgot.title}</h1>
      <p>{t.forgot.intro}</p>
      <form method="post" action={page.action} noValidate>
        {problem !== undefined && (
          <p className="problem" id={PROBLEM_ID} role="alert">
            {problem}
          </p>
        )}
        <div className="field">
          <label htmlFor="email">{t.email}</label>
          <input
            id="email"
            name="email"
            type="email"
            dir="ltr"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={255}
            required
            // biome-ignore lint/a11y/noAutofocus: the page's only purpose is this form
            autoFocus
            defaultValue={page.email}
            aria-invalid={page.problem?.kind === 'email' ? true : undefined}
            aria-describedby={problem === undefined ? undefined : PROBLEM_ID}
          />
        </div>
        <button type="submit">{t.forgot.send}</button>
      </form>
      <BackToSignIn href={page.signInHref} t={t} />
    </Frame>
  )
}

/** Doesn't reveal whether an account with this address exists. */
export function ResetAsked(page: ResetRequestedPage) {
  const t = texts[page.language]
  return (
    <Frame frame={page} title={t.forgot.askedTitle}>
      <h1>{t.forgot.askedTitle}</h1>
      <p role="status">{fill(t.forgot.asked, { email: page.email, company: page.theme.companyName })}</p>
      <p className="muted">{t.forgot.nothingCame}</p>
      <BackToSignIn href={page.signInHref} t={t} />
    </Frame>
  )
}
