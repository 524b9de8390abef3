import type { LockdownPage, LockedDownPage } from '@sightline/contract/sign-in-pages'
import { Frame } from './frame.tsx'
import { fill, texts } from './texts.ts'

/** Says what the user will lose. The button doesn't have the focus, so an accidental key press doesn't confirm. */
export function Lockdown(page: LockdownPage) {
  const t = texts[page.language].lockdown
  const { apiKeys, pushDevices, supportAccess, emailChange } = page
  return (
    <Frame frame={page} title={t.title}>
      <h1>{t.title}</h1>
      <p>{fill(t.intro, { email: page.email })}</p>
      <form method="post" action={page.action}>
        <ul>
          <li>{t.everywhere}</li>
          <li>{t.password}</li>
          <li>{t.links}</li>
          {pushDevices > 0 && <li>{t.pushDevices}</li>}
          {emailChange && <li>{t.emailChange}</li>}
          {supportAccess && <li>{t.supportAccess}</li>}
        </ul>
        {apiKeys.length > 0 && (
          <label className="choice">
            <input type="checkbox" name="apiKeys" value="end" defaultChecked />
            <span>
              {t.apiKeys}
              <small>{apiKeys.join(', ')}</small>
            </span>
          </label>
        )}
        <button type="submit">{t.confirm}</button>
      </form>
    </Frame>
  )
}

export function LockdownDonePage(page: LockedDownPage) {
  const t = texts[page.language].lockdown
  return (
    <Frame frame={page} title={t.doneTitle}>
      <h1>{t.doneTitle}</h1>
      <p role="status">{fill(page.isMailed ? t.mailed : t.notMailed, { email: page.email })}</p>
      {page.passkeys.length > 0 && <p>{fill(t.passkeys, { names: page.passkeys.join(', ') })}</p>}
    </Frame>
  )
}
