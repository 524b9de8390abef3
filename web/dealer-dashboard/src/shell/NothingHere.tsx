import { buttonClass, EmptyState } from '@sightline/kit'
import { usePageTitle } from '@sightline/shell'
import type { ReactNode } from 'react'
import { useText } from '../text.ts'
import { useOwnStaff } from './own-staff.ts'
import { homeOf, placesOf } from './places.ts'

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
        placesOf(own).length === 0 ? undefined : (
          <a data-here href={`/dealer${homeOf(own)}`} className={buttonClass()}>
            {t('To the start')}
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
    <NothingHere title={t('This is not among your permissions')}>
      {t('Whoever manages the staff of your organisation can give them to you.')}
    </NothingHere>
  )
}

export function NoSuchPage() {
  const t = useText()
  const own = useOwnStaff()
  return placesOf(own).length === 0 ? <NotAllowed /> : <NothingHere title={t('There is no such page')} />
}
