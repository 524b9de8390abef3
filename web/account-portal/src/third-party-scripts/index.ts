import type { Application } from '@sightline/shell'
import { offerTranslation } from './in-context.ts'
import { outlivesConsent, runTagManager } from './tag-manager.ts'

export { StatisticsCard } from './StatisticsCard.tsx'
export { StatisticsQuestion } from './StatisticsQuestion.tsx'

interface Pages {
  /** Where the page that is shown is, as soon as one is shown. */
  readonly state: { readonly resolvedLocation?: unknown }
  subscribe(
    event: 'onBeforeLoad' | 'onResolved',
    told: (gone: { readonly toLocation: { readonly href: string } }) => void,
  ): () => void
}

/** Lets in what the operator allows: the tag manager once somebody allowed it here, and the translation tool. */
export function letForeignScriptIn(portal: Application, pages: Pages): void {
  const { translation, 'tag-manager': tags } = portal.config
  if (translation !== null) void offerTranslation(portal, translation)
  if (!tags.enabled) return
  // Who still has to sign in is shown no page: the browser leaves.
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
