import { Skeleton, SkeletonGroup } from '@sightline/kit'

export function UserCameras() {
  return (
    <SkeletonGroup>
      <Skeleton className="h-64 w-full" />
    </SkeletonGroup>
  )
}
