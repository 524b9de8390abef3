import { BackLink, ScreenTitle } from '@sightline/kit'
import type { ReactNode } from 'react'
import { usePageTitle } from './page-title.ts'

interface ScreenProps {
  title: string
  /** One sentence under the title. */
  description?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  /** The list that this is one of. */
  back?: { readonly href: string; readonly label: string }
  /** `table` takes the width of a long row, `form` that of a text. */
  width: 'table' | 'form'
  children: ReactNode
}

const widths = { table: '', form: 'max-w-3xl' }

/** A screen of lists and settings: its name in the tab and on top, at the same place for each width. */
export function Screen({ title, description, actions, back, width, children }: ScreenProps) {
  usePageTitle(title)
  return (
    <div className="mx-auto max-w-7xl py-2 sm:py-4">
      <div className={widths[width]}>
        {back === undefined ? null : <BackLink href={back.href}>{back.label}</BackLink>}
        <ScreenTitle title={title} actions={actions}>
          {description}
        </ScreenTitle>
        {children}
      </div>
    </div>
  )
}
