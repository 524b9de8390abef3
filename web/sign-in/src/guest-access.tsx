import type { SignInPage } from '@sightline/contract/sign-in-pages'
import { texts } from './texts.ts'

interface LookAroundProps {
  readonly page: SignInPage
  readonly demonstrations: NonNullable<SignInPage['demonstrations']>
}

/** Buttons of their own form, which needs neither address nor password; with several of them each has the account's name. */
export function GuestAccess({ page, demonstrations }: LookAroundProps) {
  const t = texts[page.language].demonstration
  const isOne = demonstrations.length === 1
  return (
    <form method="post" action={page.action} className="look-around">
      <fieldset>
        {!isOne && <legend>{t.several}</legend>}
        {demonstrations.map(({ accountId, name }) => (
          <button key={accountId} type="submit" className="secondary" name="demonstration" value={accountId}>
            {isOne ? t.button : name}
          </button>
        ))}
      </fieldset>
    </form>
  )
}
