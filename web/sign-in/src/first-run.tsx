import { type FirstRunField, type FirstRunPage, firstRunFields } from '@sightline/contract/sign-in-pages'
import type { ComponentProps } from 'react'
import { Frame } from './frame.tsx'
import { texts } from './texts.ts'

/** Longer than the rules allow: a pasted password that is too long gets an error instead of being cut off silently. */
const PASSWORD_LENGTH = 128

const attributes: Readonly<Record<FirstRunField, ComponentProps<'input'>>> = {
  company: { autoComplete: 'organization', maxLength: 510 },
  firstName: { autoComplete: 'given-name', maxLength: 64 },
  lastName: { autoComplete: 'family-name', maxLength: 64 },
  email: {
    type: 'email',
    dir: 'ltr',
    autoComplete: 'username',
    autoCapitalize: 'none',
    spellCheck: false,
    maxLength: 255,
  },
  password: { type: 'password', dir: 'ltr', autoComplete: 'new-password', maxLength: PASSWORD_LENGTH },
  confirmation: { type: 'password', dir: 'ltr', autoComplete: 'new-password', maxLength: PASSWORD_LENGTH },
}

interface FieldProps {
  readonly page: FirstRunPage
  readonly name: FirstRunField
  readonly hint?: string
}

/** The error replaces the hint. */
function Field({ page, name, hint }: FieldProps) {
  const t = texts[page.language].firstRun
  const problem = page.problems[name]
  const below = problem === undefined ? hint : (t.problems[problem] ?? problem)
  const belowId = `${name}-below`
  const typed = name === 'password' || name === 'confirmation' ? undefined : page.typed[name]
  return (
    <div className="field">
      <label htmlFor={name}>{t.labels[name]}</label>
      <input
        id={name}
        name={name}
        required
        {...attributes[name]}
        // biome-ignore lint/a11y/noAutofocus: the page's only purpose is this form
        autoFocus={name === focused(page)}
        defaultValue={typed}
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
const focused = ({ problems }: FirstRunPage): FirstRunField =>
  firstRunFields.find((name) => problems[name] !== undefined) ?? firstRunFields[0]

export function FirstRun(page: FirstRunPage) {
  const t = texts[page.language].firstRun
  return (
    <Frame frame={page} title={t.title}>
      <h1>{t.title}</h1>
      <p>{t.intro}</p>
      <form method="post" action={page.action}>
        {Object.keys(page.problems).length > 0 && (
          <p className="problem" role="alert">
            {t.checkFields}
          </p>
        )}
        <Field page={page} name="company" hint={t.companyHint} />
        <div className="pair">
          <Field page={page} name="firstName" />
          <Field page={page} name="lastName" />
        </div>
        <Field page={page} name="email" />
        <Field page={page} name="password" hint={t.passwordHint} />
        <Field page={page} name="confirmation" />
        <button type="submit">{t.create}</button>
      </form>
    </Frame>
  )
}
