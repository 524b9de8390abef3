import { CODE_LENGTH } from '@sightline/contract/mfa'
import type { SecondFactorPage } from '@sightline/contract/sign-in-pages'
import type { ComponentProps } from 'react'
import { Frame } from './frame.tsx'
import { PasskeyForm } from './passkey-form.tsx'
import { problemText } from './problem-text.ts'
import { fill, texts } from './texts.ts'

type TypedKind = Exclude<SecondFactorPage['kind'], 'passkey'>

/** Leaves room for the spaces that people type or paste. */
const attributes: Readonly<Record<TypedKind, ComponentProps<'input'>>> = {
  app: { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: CODE_LENGTH + 10 },
  recoveryCode: { autoComplete: 'off', autoCapitalize: 'none', maxLength: 64 },
}

function Problem({ page }: { page: SecondFactorPage }) {
  const { problem, language } = page
  if (problem === undefined) return null
  return (
    <p className="problem" id="problem" role="alert">
      {problemText(problem, language, texts[language].secondFactor.incorrect)}
    </p>
  )
}

function CodeForm({ page, kind }: { page: SecondFactorPage; kind: TypedKind }) {
  const { secondFactor, signIn } = texts[page.language]
  return (
    <form method="post" action={page.action}>
      <Problem page={page} />
      <div className="field">
        <label htmlFor="code">{secondFactor[kind].label}</label>
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
          aria-invalid={page.problem?.kind === 'incorrect' ? true : undefined}
          aria-describedby={page.problem === undefined ? 'intro' : 'problem'}
        />
      </div>
      <button type="submit">{signIn}</button>
    </form>
  )
}

/**
 * For people who have only passkeys. Without a script, or on a host without their passkeys, they use a recovery code.
 */
function PasskeyOnly({ page }: { page: SecondFactorPage }) {
  const t = texts[page.language].secondFactor.passkey
  return (
    <>
      <Problem page={page} />
      {page.passkeyHref === undefined ? (
        <p className="problem">{fill(t.elsewhere, { hosts: page.passkeyHosts.join(', ') })}</p>
      ) : (
        <noscript>
          <p className="problem">{t.noScript}</p>
        </noscript>
      )}
    </>
  )
}

/**
 * After a correct password: the code of the authenticator app, a passkey, or a recovery code if the user has neither at
 * hand.
 */
export function SecondFactor(page: SecondFactorPage) {
  const { kind } = page
  const { secondFactor } = texts[page.language]
  const other = kind === 'recoveryCode' ? secondFactor.backTo[page.mainKind] : secondFactor.useRecoveryCode
  return (
    <Frame frame={page} title={secondFactor.title}>
      <h1>{secondFactor.title}</h1>
      <p id="intro">{secondFactor[kind].intro}</p>
      {kind === 'passkey' ? <PasskeyOnly page={page} /> : <CodeForm page={page} kind={kind} />}
      {page.passkeyHref !== undefined && (
        <PasskeyForm page={page} href={page.passkeyHref} isMain={kind === 'passkey'} />
      )}
      <p className="ways">
        <a className="plain" href={page.otherHref}>
          {other}
        </a>
        <a className="plain" href={page.startHref}>
          {secondFactor.start}
        </a>
      </p>
    </Frame>
  )
}
