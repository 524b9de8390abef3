import { CODE_LENGTH } from '@sightline/contract/mfa'
import type { SecondFactorPage } from '@sightline/contract/sign-in-pages'
import type { ComponentProps } from 'react'
import { Frame } from './frame.tsx'
import { problemText } from './problem-text.ts'
import { texts } from './texts.ts'

/** Room for the gaps that people type and paste, too. */
const attributes: Readonly<Record<SecondFactorPage['kind'], ComponentProps<'input'>>> = {
  app: { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: CODE_LENGTH + 10 },
  recoveryCode: { autoComplete: 'off', autoCapitalize: 'none', maxLength: 64 },
}

/** After a right password: the code of the authenticator app, or a recovery code of those who do not have it with them. */
export function SecondFactor(page: SecondFactorPage) {
  const { kind, problem } = page
  const { secondFactor } = texts[page.language]
  const t = secondFactor[kind]
  const isWrong = problem?.kind === 'incorrect'
  const shown = problem !== undefined && problemText(problem, texts[page.language], secondFactor.incorrect)
  return (
    <Frame frame={page} title={secondFactor.title}>
      <h1>{secondFactor.title}</h1>
      <p id="intro">{t.intro}</p>
      <form method="post" action={page.action}>
        {problem !== undefined && (
          <p className="problem" id="problem" role="alert">
            {shown}
          </p>
        )}
        <div className="field">
          <label htmlFor="code">{t.label}</label>
          <input
            id="code"
            name="code"
            type="text"
            dir="ltr"
            className="code"
            spellCheck={false}
            required
            {...attributes[kind]}
            // biome-ignore lint/a11y/noAutofocus: the page's only purpose is this form
            autoFocus
            aria-invalid={isWrong ? true : undefined}
            aria-describedby={problem === undefined ? 'intro' : 'problem'}
          />
        </div>
        <button type="submit">{texts[page.language].signIn}</button>
      </form>
      <p className="ways">
        <a className="plain" href={page.otherHref}>
          {t.other}
        </a>
        <a className="plain" href={page.startHref}>
          {secondFactor.start}
        </a>
      </p>
    </Frame>
  )
}
