import type { Application } from '@sightline/shell'
import { offerTranslation } from './in-context.ts'
import { outlivesConsent, runTagManager } from './tag-manager.ts'

export { StatisticsCard } from './StatisticsCard.tsx'
export { StatisticsQuestion } from './StatisticsQuestion.tsx'

interface Pages {
  /** The path of the current page, once there is one. */
  readonly state: { readonly resolvedLocation?: unknown }
  subscribe(
    event: 'onBeforeLoad' | 'onResolved',
    told: (gone: { readonly toLocation: { readonly href: string } }) => void,
  ): () => void
}

/** Loads the scripts that the operator allows: the tag manager after the user's consent, and the translation tool. */
export function loadThirdPartyScripts(portal: Application, pages: Pages): void {
  const { translation, 'tag-manager': tags } = portal.config
  if (translation !== null) void offerTranslation(portal, translation)
  if (!tags.enabled) return
  // If the user still has to sign in, there is no page: the browser redirects.
  if (pages.state.resolvedLocation !== undefined) runTagManager(portal)
  else {
    const unsubscribe = pages.subscribe('onResolved', () => {
      unsubscribe()
      runTagManager(portal)
    })
  }
  pages.subscribe('onBeforeLoad', ({ toLocation }) => {
    if (outlivesConsent()) window.location.assign(toLocation.href)
  })
}
