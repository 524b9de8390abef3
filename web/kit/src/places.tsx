// What stands where something will be, as large as that.
import type { ReactNode } from 'react'
import { Header, type ShellBrand } from './AppShell.tsx'
import { Card } from './Card.tsx'
import { Icon } from './Icon.tsx'
import { Skeleton, SkeletonGroup } from './marks.tsx'

/** The place of a card with fields, for within a `SkeletonGroup`. */
export const CardPlace = () => (
  <Card>
    <Skeleton className="h-5 w-40" />
    <Skeleton className="mt-2 h-4 w-64 max-w-full" />
    <div className="mt-6 grid gap-x-5 gap-y-6 sm:grid-cols-2">
      {[1, 2, 3, 4, 5, 6].map((field) => (
        <div key={field}>
          <Skeleton className="h-4 w-24" />
          <Skeleton className="mt-2 h-10 w-full" />
        </div>
      ))}
    </div>
  </Card>
)

/** Stands where a screen with a form will: until its data are known, and while its code is on the way. */
export const ScreenPlace = () => (
  <SkeletonGroup isPage className="max-w-3xl">
    <Skeleton className="h-7 w-40 sm:h-8" />
    <Skeleton className="mt-1 mb-6 h-5 w-72 max-w-full" />
    <CardPlace />
  </SkeletonGroup>
)

/** Stands where an `AppShell` with a menu will, before anything of it can be pressed. */
export const ShellPlace = ({ brand, children }: { brand: ShellBrand; children: ReactNode }) => (
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
    <div className="mx-auto flex w-full max-w-6xl grow gap-8 px-4 sm:px-6">
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
