import type { ReactNode } from 'react'
import { contentPadding, frameClass, Header } from './Header.tsx'
import { Icon } from './Icon.tsx'
import type { ShellBrand } from './Logo.tsx'
import { Skeleton } from './Skeleton.tsx'

interface ShellSkeletonProps {
  brand: ShellBrand
  /** The content uses the whole window. Its menu is a `SideMenuSkeleton`. */
  wide?: { readonly sideMenu: ReactNode } | undefined
  children: ReactNode
}

const MenuSkeleton = () => (
  <div className="hidden w-56 shrink-0 space-y-1 py-8 lg:block">
    {[1, 2, 3, 4, 5].map((item) => (
      <div key={item} className="flex h-10 items-center px-3 pointer-coarse:h-11">
        <Skeleton className="h-4 w-32" />
      </div>
    ))}
  </div>
)

/** The skeleton of an `AppShell` with a menu, before its controls work. */
export function ShellSkeleton({ brand, wide, children }: ShellSkeletonProps) {
  const isWide = wide !== undefined
  const frame = frameClass(isWide)
  return (
    <div className="flex min-h-[inherit] flex-col">
      <div inert className="contents">
        <Header
          frame={frame}
          logo={{ brand, home: '#' }}
          menu={
            <span className="-ms-2 inline-flex size-10 shrink-0 items-center justify-center text-muted lg:hidden pointer-coarse:size-11">
              <Icon name="menu" />
            </span>
          }
        />
      </div>
      <div className={`flex grow ${isWide ? 'gap-4' : 'gap-8'} ${frame}`}>
        {wide?.sideMenu ?? <MenuSkeleton />}
        <main className={`min-w-0 grow ${contentPadding(isWide)}`}>{children}</main>
      </div>
    </div>
  )
}
