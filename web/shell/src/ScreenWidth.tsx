import type { ReactNode } from 'react'

const widths = { table: '', form: 'max-w-3xl' }

interface ScreenWidthProps {
  /** `table` has the width of a long row, `form` that of a text. */
  width: keyof typeof widths
  children: ReactNode
}

/** The place of a screen in a wide frame. It needs no application, so that the server can render it too. */
export const ScreenWidth = ({ width, children }: ScreenWidthProps) => (
  <div className="mx-auto max-w-7xl py-2 sm:py-4">
    <div className={widths[width]}>{children}</div>
  </div>
)
