import type { Camera } from '@sightline/contract/cameras'
import { useApplication } from '@sightline/shell'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useEffectEvent } from 'react'
import { isToCome } from '../moment-in-address.ts'
import { type StagePosition, useStagePosition } from '../stage/index.ts'
import { useText } from '../text.ts'

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

/** A camera that another account has now shows its last seconds here instead of live video. */
const BEFORE_TRANSFER_MS = 10_000

/** What the page of a camera shows, according to its address. */
export function useCameraPosition({ transferredAt }: Camera): StagePosition {
  const navigate = useNavigate()
  const write = useCallback(
    (time: number | undefined, replace: boolean) => {
      const search = time === undefined ? {} : { t: new Date(time).toISOString() }
      void navigate({ from: '/cameras/$cameraId', to: '.', search, replace })
    },
    [navigate],
  )
  const moment = useAskedMoment(() => write(undefined, true))
  const last = transferredAt === null ? undefined : Date.parse(transferredAt) - BEFORE_TRANSFER_MS
  return useStagePosition({ moment: moment ?? last, write, isAlone: true })
}
