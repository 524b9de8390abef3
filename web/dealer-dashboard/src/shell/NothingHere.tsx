import { ApiFailure } from '@sightline/client'
import { buttonClass, EmptyState } from '@sightline/kit'
import { usePageTitle } from '@sightline/shell'
import type { ReactNode } from 'react'
import { useText } from '../text.ts'
import { homePath, visibleNavItems } from './nav-items.ts'
import { useOwnStaff } from './own-staff.ts'

interface NothingHereProps {
  title: string
  /** The list to go back to; by default the home page. */
  back?: { readonly href: string; readonly label: string }
  children?: ReactNode
}

/**
 * Whether an object at the page's address doesn't exist or isn't accessible; the server doesn't say which. It answers 400
 * if the address can't be one of an object.
 */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.status === 404 || error.status === 400)

/** The "not found" page, with a link back. */
export function NothingHere({ title, back, children }: NothingHereProps) {
  const t = useText()
  const own = useOwnStaff()
  usePageTitle(title)
  const home = { href: `/dealer${homePath(own)}`, label: t('Go to home page') }
  const { href, label } = back ?? home
  return (
    <EmptyState
      icon="grid"
      isPage
      title={title}
      action={
        visibleNavItems(own).length === 0 ? undefined : (
          <a data-here href={href} className={buttonClass()}>
            {label}
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
