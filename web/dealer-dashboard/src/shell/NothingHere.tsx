import { buttonClass, EmptyState } from '@sightline/kit'
import { usePageTitle } from '@sightline/shell'
import type { ReactNode } from 'react'
import { useText } from '../text.ts'
import { homePath, visibleNavItems } from './nav-items.ts'
import { useOwnStaff } from './own-staff.ts'

/** The "not found" page, with a link back. */
function NothingHere({ title, children }: { title: string; children?: ReactNode }) {
  const t = useText()
  const own = useOwnStaff()
  usePageTitle(title)
  return (
    <EmptyState
      icon="grid"
      isPage
      title={title}
      action={
        visibleNavItems(own).length === 0 ? undefined : (
          <a data-here href={`/dealer${homePath(own)}`} className={buttonClass()}>
            {t('Go to home page')}
          </a>
        )
      }
    >
      {children}
    </EmptyState>
  )
}

/** The page for users without the permission for a screen. */
export function NotAllowed() {
  const t = useText()
  return (
    <NothingHere title={t("You don't have access to this page")}>
      {t('Ask someone who manages staff in your organization to give you access.')}
    </NothingHere>
  )
}

export function NoSuchPage() {
  const t = useText()
  const own = useOwnStaff()
  return visibleNavItems(own).length === 0 ? <NotAllowed /> : <NothingHere title={t('Page not found')} />
}
