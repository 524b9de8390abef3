import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { lazy, Suspense, useState } from 'react'
import type { TimelineProps } from './timeline-props.ts'

// The picture is there before it, so the first screen doesn't wait for its code.
const FootageTimeline = lazy(() =>
  import('./FootageTimeline.tsx').then((module) => ({ default: module.FootageTimeline })),
)

/** Footage on a line from a year to a second: recordings, gaps with their causes, events. Click to play a moment. */
export function Timeline({ tools, ...props }: TimelineProps) {
  // The tools are there before the timeline and stay: one of them may have a dialog open already.
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  return (
    <div>
      {/* On a phone in landscape, one row that scrolls: the picture needs the height. */}
      <div className="mb-2 flex flex-wrap items-center gap-x-2 gap-y-1 short:relative short:mb-0 short:flex-nowrap short:overflow-x-auto short:*:shrink-0">
        {tools}
        <span ref={setSlot} className="flex min-h-10 items-center sm:ms-auto short:ms-0" />
      </div>
      <Suspense
        fallback={
          <SkeletonGroup>
            <Skeleton className="h-16 pointer-coarse:h-20 short:h-14" />
          </SkeletonGroup>
        }
      >
        <FootageTimeline {...props} slot={slot} />
      </Suspense>
    </div>
  )
}
