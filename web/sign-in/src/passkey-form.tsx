import type { PageFrame } from '@sightline/contract/sign-in-pages'
import { runPasskeys } from './passkey-script.ts'
import { texts } from './texts.ts'

interface PasskeyFormProps {
  readonly page: PageFrame & { readonly action: string }
  /** Where the script gets the data to sign. */
  readonly href: string
  /** Whether it is the main action of the page or an alternative. */
  readonly isMain: boolean
}

/**
 * Appears if the browser supports passkeys, which only a script can find out. It follows the form that works without a
 * script.
 */
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
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: own source, the same for every visitor */}
      <script nonce={page.nonce} dangerouslySetInnerHTML={{ __html: `(${runPasskeys})()` }} />
    </>
  )
}
