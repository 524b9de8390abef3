import type { CameraView } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { isToCome } from '../moment-in-address.ts'
import { useText } from '../text.ts'

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

/** The moment that the address asks for, once it can have been recorded; one still to come is told of and made live. */
function useAskedMoment(goLive: () => void): number | undefined {
  const { snackBar } = useApplication()
  const text = useText()
  const { t } = useSearch({ from: '/signed-in/cameras/$cameraId' })
  const moment = t === undefined ? undefined : Date.parse(t)
  const isEarly = moment !== undefined && isToCome(moment, Date.now())
  const refuse = useEffectEvent(() => {
    snackBar.info(text('That moment is still to come'))
    goLive()
  })
  useEffect(() => {
    if (isEarly) refuse()
  }, [isEarly])
  return isEarly ? undefined : moment
}

export function usePlace(view: CameraView | undefined): Place {
  const navigate = useNavigate()
  const sought = useRef<number>(undefined)
  const write = useCallback(
    (time: number | undefined, replace: boolean) => {
      sought.current = time
      const search = time === undefined ? {} : { t: new Date(time).toISOString() }
      void navigate({ from: '/cameras/$cameraId', to: '.', search, replace })
    },
    [navigate],
  )
  const moment = useAskedMoment(() => write(undefined, true))
  const [opened, setOpened] = useState(moment)
  // Going live and coming back opens the player anew.
  if ((opened === undefined) !== (moment === undefined)) setOpened(moment)

  useEffect(() => {
    // The address changed by itself: back, forward, typed.
    if (moment !== undefined && moment !== sought.current && moment !== opened) view?.seek(moment)
    sought.current = moment
  }, [moment, opened, view])

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
