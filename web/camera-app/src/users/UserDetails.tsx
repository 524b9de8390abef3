import { Skeleton, SkeletonGroup } from '@sightline/kit'

export function UserDetails() {
  return (
    <SkeletonGroup>
      <Skeleton className="h-64 w-full" />
    </SkeletonGroup>
  )
}
