import type { CameraView } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { isToCome } from '../moment-in-address.ts'
import { useText } from '../text.ts'

/** The playback position according to the address: live, or a recorded time. */
export interface PlayerPosition {
  readonly use: 'live' | 'playback'
  /** The start time of playback, for the player. Later changes are seeks. */
  readonly opened: number | undefined
  /** Plays from that time, in milliseconds since 1970. */
  goTo(time: number): void
  goLive(): void
  /** Writes the time of the current picture into the address. */
  remember(time: number): void
}

/** The time in the address, once it can have been recorded. A future time shows a message and becomes live. */
function useAskedMoment(goLive: () => void): number | undefined {
  const { snackBar } = useApplication()
  const text = useText()
  const { t } = useSearch({ from: '/signed-in/cameras/$cameraId' })
  const moment = t === undefined ? undefined : Date.parse(t)
  const isEarly = moment !== undefined && isToCome(moment, Date.now())
  const refuse = useEffectEvent(() => {
    snackBar.info(text('That time is in the future'))
    goLive()
  })
  useEffect(() => {
    if (isEarly) refuse()
  }, [isEarly])
  return isEarly ? undefined : moment
}

export function usePlaybackPosition(view: CameraView | undefined): PlayerPosition {
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
  // Returning from live opens the player again.
  if ((opened === undefined) !== (moment === undefined)) setOpened(moment)

  useEffect(() => {
    // The address changed: back, forward, or edited.
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
