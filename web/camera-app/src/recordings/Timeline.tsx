import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { lazy, Suspense } from 'react'
import type { TimelineProps } from './timeline-props.ts'

// The picture is there before it, so the first screen doesn't wait for its code.
const FootageTimeline = lazy(() =>
  import('./FootageTimeline.tsx').then((module) => ({ default: module.FootageTimeline })),
)

/** Footage on a line from a year to a second: recordings, gaps with their causes, events. Click to play a moment. */
export function Timeline(props: TimelineProps) {
  return (
    <Suspense
      fallback={
        <div>
          <div className="mb-2 flex flex-wrap items-center gap-x-2 gap-y-2">{props.tools}</div>
          <SkeletonGroup>
            <Skeleton className="h-16 pointer-coarse:h-20" />
          </SkeletonGroup>
        </div>
      }
    >
      <FootageTimeline {...props} />
    </Suspense>
  )
}
