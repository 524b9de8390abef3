import { CardSkeleton } from './CardSkeleton.tsx'
import { Skeleton, SkeletonGroup } from './Skeleton.tsx'

/** The skeleton of a screen with a form, shown while its data or code loads. */
export const ScreenSkeleton = () => (
  <SkeletonGroup isPage className="max-w-3xl">
    <Skeleton className="h-7 w-40 sm:h-8" />
    <Skeleton className="mt-1 mb-6 h-5 w-72 max-w-full" />
    <CardSkeleton />
  </SkeletonGroup>
)
