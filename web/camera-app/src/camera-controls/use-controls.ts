import { patchAudioSettings } from '@sightline/contract/camera-audio'
import { getFocus, moveFocus } from '@sightline/contract/camera-focus'
import { patchVideoSettings } from '@sightline/contract/camera-settings'
import type { CameraStatus } from '@sightline/contract/cameras'
import { afterFirstPictures } from '@sightline/player'
import { useApplication, useMay } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { capabilityQueries } from '../camera-capabilities/index.ts'
import { useOwnPermissions } from '../rights/index.ts'
import { type ControlOffer, isOffered, offeredSettings } from './control-offer.ts'
import { videoControlsQuery } from './video-controls-query.ts'

export interface QuickControls {
  /** Undefined if there is nothing to control for this user on this camera, or it isn't shown live. */
  readonly offer: ControlOffer | undefined
  readonly isOpen: boolean
  toggle(): void
}

interface Watched {
  readonly cameraId: number
  readonly status: CameraStatus | undefined
  readonly isLive: boolean
}

const noRights: ReadonlySet<never> = new Set()

/** Asks the camera only for what the user may change. */
export function useControls({ cameraId, status, isLive }: Watched): QuickControls {
  const { client } = useApplication()
  const may = useMay()
  const rights = useOwnPermissions().data?.rights ?? noRights
  const [isOpen, setOpen] = useState(false)
  const online = status?.online === true && isLive
  const setsVideo =
    may(patchVideoSettings) === true && (rights.has('cameraIllumination') || rights.has('cameraExposureControl'))
  const mayFocus = may(moveFocus) === true
  const maySound = may(patchAudioSettings) === true
  const video = useQuery({ ...videoControlsQuery(client, cameraId), enabled: online && setsVideo, retry: false })
  const focus = useQuery({
    queryKey: ['cameras', cameraId, 'focus'],
    queryFn: async ({ signal }) => {
      await afterFirstPictures()
      return await client.call(getFocus, { params: { cameraId } }, { signal })
    },
    enabled: online && mayFocus,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const abilities = useQuery({
    ...capabilityQueries(client, cameraId).capabilities,
    enabled: online && maySound,
    retry: false,
  })
  const offer: ControlOffer = {
    settings: setsVideo ? offeredSettings(video.data, rights) : [],
    focus: mayFocus && focus.data?.focus === true ? focus.data : undefined,
    microphone: maySound && abilities.data?.microphone === 'yes',
  }
  const isThere = online && isOffered(offer)
  return { offer: isThere ? offer : undefined, isOpen: isOpen && isThere, toggle: () => setOpen(!isOpen) }
}
