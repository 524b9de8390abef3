import type { ReactNode } from 'react'
import { Header } from './Header.tsx'
import { Icon } from './Icon.tsx'
import type { ShellBrand } from './Logo.tsx'
import { Skeleton } from './Skeleton.tsx'

/** The skeleton of an `AppShell` with a menu, before its controls work. */
export const ShellSkeleton = ({ brand, children }: { brand: ShellBrand; children: ReactNode }) => (
  <div className="flex min-h-[inherit] flex-col">
    <div inert className="contents">
      <Header
        logo={{ brand, home: '#' }}
        menu={
          <span className="-ms-2 inline-flex size-10 shrink-0 items-center justify-center text-muted lg:hidden pointer-coarse:size-11">
            <Icon name="menu" />
          </span>
        }
      />
    </div>
    <div className="mx-auto flex w-full max-w-[67rem] grow gap-8 px-4 sm:px-6">
      <div className="hidden w-56 shrink-0 space-y-1 py-8 lg:block">
        {[1, 2, 3, 4, 5].map((item) => (
          <div key={item} className="flex h-10 items-center px-3 pointer-coarse:h-11">
            <Skeleton className="h-4 w-32" />
          </div>
        ))}
      </div>
      <main className="min-w-0 grow py-6 sm:py-8">{children}</main>
    </div>
  </div>
)
