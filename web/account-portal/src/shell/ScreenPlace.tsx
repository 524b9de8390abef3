import { Card, Skeleton, SkeletonGroup } from '@sightline/kit'

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

/** Stands where a screen will: until the account is known, and while its code is on the way. */
export const ScreenPlace = () => (
  <SkeletonGroup isPage className="max-w-3xl">
    <Skeleton className="h-7 w-40 sm:h-8" />
    <Skeleton className="mt-1 mb-6 h-5 w-72 max-w-full" />
    <CardPlace />
  </SkeletonGroup>
)
