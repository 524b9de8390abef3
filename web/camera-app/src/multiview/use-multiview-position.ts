import type { Camera } from '@sightline/contract/cameras'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { isToCome } from '../moment-in-address.ts'
import { type StagePosition, useStagePosition } from '../stage/index.ts'
import { idsOfText, MAX_TILES } from './multiview-address.ts'

/** What is watched according to the address: which cameras, live or at a recorded time. */
export interface MultiviewPosition extends StagePosition {
  readonly cameraIds: readonly number[]
  setCameras(cameraIds: readonly number[]): void
}

/** Without cameras in the address, the first nine are shown. */
export function useMultiviewPosition(cameras: readonly Camera[]): MultiviewPosition {
  const navigate = useNavigate()
  const { cameras: text, t } = useSearch({ from: '/signed-in/multiview' })
  const asked = t === undefined ? undefined : Date.parse(t)
  const moment = asked === undefined || isToCome(asked, Date.now()) ? undefined : asked
  const cameraIds = useMemo(() => {
    const known = new Set(cameras.map(({ cameraId }) => cameraId))
    const named = idsOfText(text).filter((id) => known.has(id))
    return named.length > 0 ? named : cameras.slice(0, MAX_TILES).map(({ cameraId }) => cameraId)
  }, [cameras, text])
  const write = useCallback(
    (time: number | undefined, replace: boolean) => {
      const search = { cameras: text, t: time === undefined ? undefined : new Date(time).toISOString() }
      void navigate({ from: '/multiview', to: '.', search, replace })
    },
    [navigate, text],
  )
  const position = useStagePosition({ moment, write, isAlone: cameraIds.length === 1 })
  return {
    ...position,
    cameraIds,
    setCameras: (ids) => {
      // The address keeps the time that is watched now.
      const time = position.player?.state.time
      const search = {
        cameras: ids.length === 0 ? undefined : ids.join(),
        t: time === undefined ? t : new Date(time).toISOString(),
      }
      if (time !== undefined) position.remember(time)
      void navigate({ from: '/multiview', to: '.', search, replace: true })
    },
  }
}
