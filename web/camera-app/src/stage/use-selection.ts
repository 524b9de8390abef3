import type { Camera } from '@sightline/contract/cameras'
import type { PictureView } from '@sightline/player'
import { useCallback, useState } from 'react'

export interface TileSelection {
  /** The camera that keys, sound, controls and statistics are for. */
  readonly selected: Camera | undefined
  readonly select: (cameraId: number) => void
  /** The camera that is shown alone, of several. */
  readonly enlarged: Camera | undefined
  readonly toggleEnlarged: (cameraId: number) => void
  /** The cameras on the stage. */
  readonly shown: readonly Camera[]
  /** The picture of the selected camera. */
  readonly view: PictureView | undefined
  readonly onView: (cameraId: number, view: PictureView | undefined) => void
}

/** Which of the cameras is selected, and whether it is shown alone. */
export function useSelection(cameras: readonly Camera[]): TileSelection {
  const [chosen, select] = useState<number>()
  const [alone, setAlone] = useState<number>()
  const [views, setViews] = useState<ReadonlyMap<number, PictureView>>(new Map())
  const onView = useCallback((cameraId: number, view: PictureView | undefined) => {
    setViews((before) => {
      if (before.get(cameraId) === view) return before
      const after = new Map(before)
      if (view === undefined) after.delete(cameraId)
      else after.set(cameraId, view)
      return after
    })
  }, [])
  const find = (id: number | undefined) => cameras.find(({ cameraId }) => cameraId === id)
  const enlarged = cameras.length > 1 ? find(alone) : undefined
  const selected = enlarged ?? find(chosen) ?? cameras[0]
  return {
    selected,
    select,
    enlarged,
    toggleEnlarged: (cameraId) => {
      select(cameraId)
      setAlone(enlarged === undefined ? cameraId : undefined)
    },
    shown: enlarged === undefined ? cameras : [enlarged],
    view: selected === undefined ? undefined : views.get(selected.cameraId),
    onView,
  }
}
