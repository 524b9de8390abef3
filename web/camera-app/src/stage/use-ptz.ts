import { getPtzCapabilities, moveCamera, type PtzCapabilities } from '@sightline/contract/camera-ptz'
import type { CameraStatus } from '@sightline/contract/cameras'
import { afterFirstPictures } from '@sightline/player'
import { useApplication, useMay } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'

export interface PtzOffer {
  /** Undefined if the camera can't be moved, or not by this user, or isn't shown live. */
  readonly capabilities: PtzCapabilities | undefined
  readonly isOpen: boolean
  toggle(): void
  /** Whether the controls are below the picture: over a small one they would hide it. */
  readonly isBelow: boolean
}

/** Moving the camera, where the user has the right and the camera can do it. */
export function usePtz({
  cameraId,
  status,
  isLive,
}: {
  cameraId: number
  status: CameraStatus | undefined
  isLive: boolean
}): PtzOffer {
  const { client } = useApplication()
  const mayMove = useMay()(moveCamera) === true
  const [isOpen, setOpen] = useState(false)
  const isNarrow = useIsNarrow()
  const isFullScreen = useIsFullScreen()
  const online = status?.online === true
  const { data, refetch, isError } = useQuery({
    queryKey: ['cameras', cameraId, 'capabilities', 'ptz'],
    queryFn: async ({ signal }) => {
      await afterFirstPictures()
      return await client.call(getPtzCapabilities, { params: { cameraId } }, { signal })
    },
    enabled: mayMove && online,
    staleTime: Number.POSITIVE_INFINITY,
  })
  // It was offline, or too busy to answer.
  useEffect(() => {
    if (!online || !isError) return undefined
    const timer = setTimeout(() => void refetch(), 10_000)
    return () => clearTimeout(timer)
  }, [online, isError, refetch])
  const capabilities = mayMove && isLive && data?.ptz === true ? data : undefined
  return {
    capabilities,
    isOpen: isOpen && capabilities !== undefined,
    toggle: () => setOpen(!isOpen),
    isBelow: isNarrow && !isFullScreen,
  }
}

const narrow = typeof matchMedia === 'undefined' ? undefined : matchMedia('(width < 40rem)')

const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      narrow?.addEventListener('change', changed)
      return () => narrow?.removeEventListener('change', changed)
    },
    () => narrow?.matches === true,
  )

const useIsFullScreen = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      document.addEventListener('fullscreenchange', changed)
      return () => document.removeEventListener('fullscreenchange', changed)
    },
    () => document.fullscreenElement !== null,
  )
