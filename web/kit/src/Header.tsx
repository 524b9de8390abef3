import type { ReactNode } from 'react'
import { Logo, type ShellBrand } from './Logo.tsx'

/** Centers content on a wide window. */
export const MIDDLE = 'mx-auto w-full max-w-[67rem] px-4 sm:px-6'

/** The edges that header, notices and content share: those of the whole window, or of its middle. */
export const frameClass = (isWide: boolean): string => (isWide ? 'w-full px-3 sm:px-4' : MIDDLE)

/** The space above and below the content. */
export const contentPadding = (isWide: boolean): string => (isWide ? 'py-3 sm:py-4' : 'py-6 sm:py-8')

interface HeaderProps {
  /** The width of its content. */
  frame?: string
  logo: { readonly brand: ShellBrand; readonly home: string }
  menu: ReactNode
  children?: ReactNode
}

/** The header: menu, logo, and `children` at the end. */
export const Header = ({ frame = MIDDLE, logo, menu, children }: HeaderProps) => (
  <header className="sticky top-0 z-20 border-b border-border bg-surface print:hidden">
    <div className={`flex h-15 items-center gap-1 sm:gap-2 ${frame}`}>
      {menu}
      <a data-here href={logo.home} className="me-auto flex min-h-11 min-w-0 items-center rounded-sm">
        <Logo brand={logo.brand} />
      </a>
      {children}
    </div>
  </header>
)
