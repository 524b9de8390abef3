import type { ReactNode } from 'react'
import { CardSkeleton } from './CardSkeleton.tsx'
import { Skeleton, SkeletonGroup } from './Skeleton.tsx'

interface ScreenSkeletonProps {
  /** The `ScreenTitle`, if it is already known. */
  title?: ReactNode
  /** The skeleton of the content: of a form by default. */
  children?: ReactNode
  className?: string
}

/** The skeleton of a screen, shown while its data or code loads. */
export const ScreenSkeleton = ({
  title,
  children = <CardSkeleton />,
  className = 'max-w-3xl',
}: ScreenSkeletonProps) => (
  <div className={className}>
    {title}
    <SkeletonGroup isPage={title === undefined}>
      {title === undefined ? (
        <>
          <Skeleton className="h-7 w-40 sm:h-8" />
          <Skeleton className="mt-1 mb-6 h-5 w-72 max-w-full" />
        </>
      ) : null}
      {children}
    </SkeletonGroup>
  </div>
)
