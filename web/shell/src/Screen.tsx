import { BackLink, ScreenTitle } from '@sightline/kit'
import type { ReactNode } from 'react'
import { usePageTitle } from './page-title.ts'
import { ScreenWidth } from './ScreenWidth.tsx'

interface ScreenProps {
  title: string
  /** One sentence below the title. */
  description?: ReactNode
  /** Buttons next to the title. */
  actions?: ReactNode
  /** The list that contains this object. */
  back?: { readonly href: string; readonly label: string }
  /** `table` has the width of a long row, `form` that of a text. */
  width: 'table' | 'form'
  children: ReactNode
}

/** A screen of lists and settings. Its title is also in the browser tab and has the same position at every width. */
export function Screen({ title, description, actions, back, width, children }: ScreenProps) {
  usePageTitle(title)
  return (
    <ScreenWidth width={width}>
      {back === undefined ? null : <BackLink href={back.href}>{back.label}</BackLink>}
      <ScreenTitle title={title} actions={actions}>
        {description}
      </ScreenTitle>
      {children}
    </ScreenWidth>
  )
}
