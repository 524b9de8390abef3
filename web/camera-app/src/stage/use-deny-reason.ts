import { type PictureView, useViewState } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { cameraQueries } from '../cameras/index.ts'

/**
 * Whether pictures are rejected although the user is still signed in. They are also rejected when the session ends, so
 * this requests the camera first, to distinguish the two before it reports missing rights.
 */
export function useDenyReason(view: PictureView | undefined, cameraId: number): boolean {
  const { client, session } = useApplication()
  const queries = useQueryClient()
  const isRefused = useViewState(view, (state) => state.phase === 'refused')
  const [isCertain, setCertain] = useState(false)
  useEffect(() => {
    setCertain(false)
    if (!isRefused) return undefined
    let isOver = false
    const { queryKey } = cameraQueries(client).camera(cameraId)
    void queries.refetchQueries({ queryKey, exact: true }).then(() => {
      if (!isOver && session.token() !== undefined) setCertain(true)
    })
    return () => {
      isOver = true
    }
  }, [isRefused, client, session, queries, cameraId])
  return isCertain
}
