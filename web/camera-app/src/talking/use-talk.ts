import { useApplication } from '@sightline/shell'
import { useCallback, useEffect, useRef, useState } from 'react'
import { TalkSession, type TalkState } from './talk-session.ts'

export interface Talk {
  readonly state: TalkState
  start(): void
  stop(): void
}

/** A talk through the loudspeaker of a camera. It ends with the screen, and when another camera is selected. */
export function useTalk(cameraId: number): Talk {
  const { client } = useApplication()
  const [state, setState] = useState<TalkState>({ kind: 'off' })
  const session = useRef<TalkSession>(undefined)
  const stop = useCallback(() => {
    session.current?.stop()
    session.current = undefined
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a talk is with one camera
  useEffect(() => stop, [stop, cameraId])
  return {
    state,
    start() {
      stop()
      session.current = new TalkSession(setState)
      void session.current.start(client, cameraId)
    },
    stop,
  }
}
