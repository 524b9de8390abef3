import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'

/** A link back to the list that contains this object. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      data-here
      href={href}
      className="-ms-1.5 mb-2 inline-flex min-h-8 items-center gap-1 rounded-sm pe-2 text-muted hover:text-text print:hidden pointer-coarse:min-h-11"
    >
      <Icon name="chevronLeft" size={18} mirrored />
      {children}
    </a>
  )
}
