import { Card } from './Card.tsx'
import { Skeleton } from './Skeleton.tsx'

/** The skeleton of a card with fields, for use in a `SkeletonGroup`. */
export const CardSkeleton = () => (
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
