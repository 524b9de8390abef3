import type { ConsentPage } from '@sightline/contract/sign-in-pages'
import { Frame } from './frame.tsx'
import { fill, texts } from './texts.ts'

/** Neither button has the focus, so an accidental key press gives no answer. */
export function Consent(page: ConsentPage) {
  const t = texts[page.language].consent
  return (
    <Frame frame={page} title={t.title}>
      <h1>{t.title}</h1>
      <p>{fill(t.signedInAs, { email: page.email })}</p>
      <form method="post" action={page.action}>
        <p id="wants">
          <strong>{fill(t.wants, { client: page.clientName })}</strong>
        </p>
        <ul aria-labelledby="wants">
          {page.scopes.map((scope) => (
            <li key={scope}>{t.scopes[scope]}</li>
          ))}
        </ul>
        <p className="muted">{t.lasts}</p>
        <p className="muted">{fill(t.bounds, { place: page.returnsTo })}</p>
        <div className="pair">
          <button type="submit" name="decision" value="refuse" className="secondary">
            {t.refuse}
          </button>
          <button type="submit" name="decision" value="allow">
            {t.allow}
          </button>
        </div>
      </form>
    </Frame>
  )
}
