import type { PageFrame } from '@sightline/contract/sign-in-pages'
import { runPasskeys } from './passkey-script.ts'
import { texts } from './texts.ts'

interface PasskeyFormProps {
  readonly page: PageFrame & { readonly action: string }
  /** Where the script gets what is to be signed. */
  readonly href: string
  /** The first thing to do on the page, or one way besides others. */
  readonly isMain: boolean
}

/** Appears where the browser can do it, which only a script can tell; stands behind the form that works without. */
export function PasskeyForm({ page, href, isMain }: PasskeyFormProps) {
  const t = texts[page.language].passkey
  return (
    <>
      <form method="post" action={page.action} data-passkeys={href} hidden>
        <input type="hidden" name="passkey" />
        <button type="button" className={isMain ? undefined : 'secondary'}>
          {t.button}
        </button>
        <p className="below wrong" role="alert" data-failed="" hidden>
          {t.failed}
        </p>
      </form>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: own source, the same for everybody */}
      <script nonce={page.nonce} dangerouslySetInnerHTML={{ __html: `(${runPasskeys})()` }} />
    </>
  )
}
