import type { CameraView } from '@sightline/player'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'

/** Where the picture is: live, or at a recorded moment, as the address says. */
export interface Place {
  readonly use: 'live' | 'playback'
  /** Where playback was opened, for the player; later moves are seeks. */
  readonly opened: number | undefined
  /** Plays that moment, milliseconds since 1970. */
  goTo(time: number): void
  goLive(): void
  /** Writes the moment that is on the screen into the address. */
  remember(time: number): void
}

export function usePlace(view: CameraView | undefined): Place {
  const { t } = useSearch({ from: '/signed-in/cameras/$cameraId' })
  const navigate = useNavigate()
  const moment = t === undefined ? undefined : Date.parse(t)
  const [opened, setOpened] = useState(moment)
  const sought = useRef(moment)
  // Going live and coming back opens the player anew.
  if ((opened === undefined) !== (moment === undefined)) setOpened(moment)

  useEffect(() => {
    // The address changed by itself: back, forward, typed.
    if (moment !== undefined && moment !== sought.current && moment !== opened) view?.seek(moment)
    sought.current = moment
  }, [moment, opened, view])

  const write = useCallback(
    (time: number | undefined, replace: boolean) => {
      sought.current = time
      const search = time === undefined ? {} : { t: new Date(time).toISOString() }
      void navigate({ from: '/cameras/$cameraId', to: '.', search, replace })
    },
    [navigate],
  )
  return {
    use: moment === undefined ? 'live' : 'playback',
    opened,
    goTo(time) {
      if (moment !== undefined) view?.seek(time)
      write(time, moment !== undefined)
    },
    goLive: () => write(undefined, false),
    remember: (time) => write(time, true),
  }
}
