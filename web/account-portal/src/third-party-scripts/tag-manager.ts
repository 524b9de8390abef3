import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import { getOwnSupportSession } from '@sightline/contract/support-sessions'
import type { Application } from '@sightline/shell'
import { allowsStatistics, whenAnswered } from './consent.ts'
import { letsIn, runForeignScript } from './third-party-script.ts'

declare global {
  interface Window {
    /** What tells a tag manager something; known to it by this name. */
    dataLayer?: unknown[]
  }
}

let isRunning = false

/** Whether script of a tag manager runs in this page that is not allowed any more: only leaving the page ends it. */
export const outlivesConsent = (): boolean => isRunning && !allowsStatistics()

/** The script's address with what the operator set, as the tag manager documents them. */
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

/** Somebody of support looks at what is not theirs, and allowed nothing in the name of its owner. Not known is yes. */
async function isSupport({ client, session }: Application): Promise<boolean> {
  if (session.token() === undefined) return false
  return client.call(getOwnSupportSession).then(
    ({ supportSession }) => supportSession !== null,
    () => true,
  )
}

/** Tells tags in the form that the tag manager takes, which tells the arguments of a call from a list. */
function tell(..._told: readonly unknown[]): void {
  // biome-ignore lint/complexity/noArguments: it takes this object and no other
  window.dataLayer?.push(arguments)
}

async function runIfAllowed(portal: Application): Promise<void> {
  if (isRunning || !letsIn() || !allowsStatistics() || (await isSupport(portal))) return
  // It may have been taken back, or begun, while that was asked for.
  if (isRunning || !allowsStatistics()) return
  isRunning = true
  window.dataLayer = [{ 'gtm.start': Date.now(), event: 'gtm.js' }]
  runForeignScript('tag-manager', addressOf(portal.config['tag-manager']))
}

/** Runs the tag manager in this page once it is allowed, and tells it when it is not any more (security.md §2.12). */
export function runTagManager(portal: Application): void {
  const follow = () => {
    if (isRunning) tell('consent', 'update', { analytics_storage: allowsStatistics() ? 'granted' : 'denied' })
    void runIfAllowed(portal)
  }
  whenAnswered(follow)
  follow()
}
