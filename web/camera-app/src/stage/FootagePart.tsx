import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { afterFirstPictures } from '@sightline/player'
import { lazy, Suspense, startTransition, useEffect, useState } from 'react'
import { useText } from '../text.ts'
import type { StageFootageProps } from './StageFootage.tsx'

// The picture comes first. The timeline loads meanwhile, because its data has to come from the server too.
const footage = import('./StageFootage.tsx')
const StageFootage = lazy(() => footage.then((module) => ({ default: module.StageFootage })))

interface FootagePartProps extends StageFootageProps {
  /** Undefined until it is known. */
  mayPlayBack: boolean | undefined
}

/** Controls and timeline, where the user may watch footage. */
export function FootagePart({ mayPlayBack, ...props }: FootagePartProps) {
  const t = useText()
  const isAfterPictures = useAfterPictures()
  if (mayPlayBack === false) {
    return (
      <>
        <span className="flex justify-end empty:hidden">{props.toolbar}</span>
        <p className="rounded-md bg-sunken px-4 py-3 text-muted" data-no-playback>
          {t('You don’t have permission to watch footage. Ask the account owner.')}
        </p>
      </>
    )
  }
  const skeleton = (
    <SkeletonGroup className="space-y-2">
      <Skeleton className="h-10 w-72" />
      <Skeleton className="h-10 short:hidden" />
      <Skeleton className="h-16 short:h-14" />
    </SkeletonGroup>
  )
  if (mayPlayBack === undefined || !isAfterPictures) return skeleton
  return (
    <Suspense fallback={skeleton}>
      <StageFootage {...props} />
    </Suspense>
  )
}

/** False until the pictures of the page are there, because drawing controls and timeline would delay them. */
function useAfterPictures(): boolean {
  const [isAfter, setAfter] = useState(false)
  useEffect(() => {
    let isGone = false
    void afterFirstPictures().then(() => {
      // In small steps, between the pictures that arrive now.
      if (!isGone) startTransition(() => setAfter(true))
    })
    return () => {
      isGone = true
    }
  }, [])
  return isAfter
}
