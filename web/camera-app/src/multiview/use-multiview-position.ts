import type { Camera } from '@sightline/contract/cameras'
import { FootageSession } from '@sightline/player'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isToCome } from '../moment-in-address.ts'
import { idsOfText, MAX_TILES } from './multiview-address.ts'

/** What is watched according to the address: which cameras, live or at a recorded time. */
export interface MultiviewPosition {
  readonly cameraIds: readonly number[]
  /** Undefined while live. */
  readonly session: FootageSession | undefined
  readonly use: 'live' | 'playback'
  setCameras(cameraIds: readonly number[]): void
  /** Plays from that time, in milliseconds since 1970. */
  goTo(time: number): void
  goLive(): void
  /** Writes the time of the pictures into the address. */
  remember(time: number): void
}

/** One session as long as footage is watched, whatever its time. */
function useSession(moment: number | undefined): FootageSession | undefined {
  const [session, setSession] = useState<FootageSession>()
  const isRecorded = moment !== undefined
  const start = useRef(moment)
  start.current = moment
  useEffect(() => {
    if (!isRecorded) return undefined
    const opened = new FootageSession(start.current ?? Date.now())
    setSession(opened)
    return () => {
      setSession(undefined)
      opened.close()
    }
  }, [isRecorded])
  return session
}

/** Without cameras in the address, the first nine are shown. */
export function useMultiviewPosition(cameras: readonly Camera[]): MultiviewPosition {
  const navigate = useNavigate()
  const { cameras: text, t } = useSearch({ from: '/signed-in/multiview' })
  const asked = t === undefined ? undefined : Date.parse(t)
  const moment = asked === undefined || isToCome(asked, Date.now()) ? undefined : asked
  const session = useSession(moment)
  const cameraIds = useMemo(() => {
    const known = new Set(cameras.map(({ cameraId }) => cameraId))
    const named = idsOfText(text).filter((id) => known.has(id))
    return named.length > 0 ? named : cameras.slice(0, MAX_TILES).map(({ cameraId }) => cameraId)
  }, [cameras, text])
  const sought = useRef(moment)
  const write = useCallback(
    (time: number | undefined, replace: boolean) => {
      sought.current = time
      const search = { cameras: text, t: time === undefined ? undefined : new Date(time).toISOString() }
      void navigate({ from: '/multiview', to: '.', search, replace })
    },
    [navigate, text],
  )
  useEffect(() => {
    // The address changed: back, forward, or edited.
    if (moment !== undefined && moment !== sought.current) session?.seek(moment)
    sought.current = moment
  }, [moment, session])
  return {
    cameraIds,
    session,
    use: moment === undefined ? 'live' : 'playback',
    setCameras: (ids) => {
      const search = { cameras: ids.length === 0 ? undefined : ids.join(), t }
      void navigate({ from: '/multiview', to: '.', search, replace: true })
    },
    goTo(time) {
      if (moment !== undefined) session?.seek(time)
      write(time, moment !== undefined)
    },
    goLive: () => write(undefined, false),
    remember: (time) => write(time, true),
  }
}
