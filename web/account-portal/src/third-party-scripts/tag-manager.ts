import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import { getOwnSupportSession } from '@sightline/contract/support-sessions'
import type { Application } from '@sightline/shell'
import { allowsStatistics, whenAnswered } from './consent.ts'
import { isScriptAllowed, runThirdPartyScript } from './third-party-script.ts'

declare global {
  interface Window {
    /** The queue of the tag manager, which requires this name. */
    dataLayer?: unknown[]
  }
}

let isRunning = false

/** Whether a tag manager still runs in this page without consent. Only leaving the page ends it. */
export const outlivesConsent = (): boolean => isRunning && !allowsStatistics()

/** The script's address with the operator's settings, as the tag manager documents it. */
function addressOf(tags: RuntimeConfig['tag-manager']): string {
  const address = new URL(tags.script)
  address.searchParams.set('id', tags['tracking-id'])
  if (tags.gtm_auth !== '') {
    address.searchParams.set('gtm_auth', tags.gtm_auth)
    address.searchParams.set('gtm_preview', tags.gtm_preview)
    address.searchParams.set('gtm_cookies_win', 'x')
  }
  return address.href
}

/** Support can't give consent for the account's user. Until it is known, this counts as a support session. */
async function isSupport({ client, session }: Application): Promise<boolean> {
  if (session.token() === undefined) return false
  return client.call(getOwnSupportSession).then(
    ({ supportSession }) => supportSession !== null,
    () => true,
  )
}

/** Calls the tag manager in its required form, in which arguments differ from an array. */
function tell(..._told: readonly unknown[]): void {
  // biome-ignore lint/complexity/noArguments: it takes this object and no other
  window.dataLayer?.push(arguments)
}

async function runIfAllowed(portal: Application): Promise<void> {
  if (isRunning || !isScriptAllowed() || !allowsStatistics() || (await isSupport(portal))) return
  // Consent may have been withdrawn, or a support session started, meanwhile.
  if (isRunning || !allowsStatistics()) return
  isRunning = true
  window.dataLayer = [{ 'gtm.start': Date.now(), event: 'gtm.js' }]
  runThirdPartyScript('tag-manager', addressOf(portal.config['tag-manager']))
}

/** Runs the tag manager in this page after consent, and informs it when consent is withdrawn (security.md §2.12). */
export function runTagManager(portal: Application): void {
  const follow = () => {
    if (isRunning) tell('consent', 'update', { analytics_storage: allowsStatistics() ? 'granted' : 'denied' })
    void runIfAllowed(portal)
  }
  whenAnswered(follow)
  follow()
}
