import { Skeleton, SkeletonGroup } from '@sightline/kit'

export function UserWhy() {
  return (
    <SkeletonGroup>
      <Skeleton className="h-64 w-full" />
    </SkeletonGroup>
  )
}
