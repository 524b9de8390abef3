import { canPlayByClock, type FootagePlayer } from '@sightline/player'
import { useCallback, useEffect, useRef, useState } from 'react'

/** What is watched according to the address: live, or a recorded time. */
export interface StagePosition {
  readonly use: 'live' | 'playback'
  /** Undefined while live, and where this browser can't play several recordings together. */
  readonly player: FootagePlayer | undefined
  /** Plays from that time, in milliseconds since 1970. */
  goTo(time: number): void
  goLive(): void
  /** Writes the time of the pictures into the address. */
  remember(time: number): void
}

interface Address {
  /** The recorded time in the address; undefined for live. */
  readonly moment: number | undefined
  /** Writes a time into the address; must be the same function from one rendering to the next. */
  readonly write: (time: number | undefined, replace: boolean) => void
  /** Whether the page shows a single camera. */
  readonly isAlone: boolean
}

const loadFootage = () => import('@sightline/player/footage')

/** After the first live picture. */
const PRELOAD_MS = 2000

/** One player as long as footage is watched, whatever its time and cameras. */
function useFootagePlayer({ moment, isAlone }: Address): FootagePlayer | undefined {
  const [player, setPlayer] = useState<FootagePlayer>()
  const start = useRef(moment)
  start.current = moment
  const isPlayed = moment !== undefined && (isAlone || canPlayByClock())
  useEffect(() => {
    if (!isPlayed) return undefined
    let opened: FootagePlayer | undefined
    let isOver = false
    void loadFootage().then(({ openFootage }) => {
      if (isOver) return
      opened = openFootage(start.current ?? Date.now())
      setPlayer(opened)
    })
    return () => {
      isOver = true
      setPlayer(undefined)
      opened?.close()
    }
  }, [isPlayed])
  useEffect(() => {
    // Someone who watches live may go back, and shouldn't wait then.
    const timer = setTimeout(() => void loadFootage(), PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [])
  return player
}

/** Plays what the address says, and writes into it what the user chooses. */
export function useStagePosition(address: Address): StagePosition {
  const { moment, write } = address
  const player = useFootagePlayer(address)
  // The address follows what is written into it after a while, and meanwhile more may have been written.
  const written = useRef<(number | undefined)[]>([moment])
  const keep = useCallback(
    (time: number | undefined, replace: boolean) => {
      written.current.push(time)
      write(time, replace)
    },
    [write],
  )
  useEffect(() => {
    const place = written.current.lastIndexOf(moment)
    // The address changed otherwise: back, forward, or edited.
    if (place < 0 && moment !== undefined) player?.seek(moment)
    written.current = place < 0 ? [moment] : written.current.slice(place)
  }, [moment, player])
  return {
    use: moment === undefined ? 'live' : 'playback',
    player,
    goTo(time) {
      if (moment !== undefined) player?.seek(time)
      keep(time, moment !== undefined)
    },
    goLive: () => keep(undefined, false),
    remember: (time) => keep(time, true),
  }
}
