import { sendCameraAudio } from '@sightline/contract/camera-audio'
import type { CameraStatus } from '@sightline/contract/cameras'
import { useApplication, useMay } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { capabilityQueries } from '../camera-capabilities/index.ts'

interface Asked {
  readonly cameraId: number
  readonly status: CameraStatus | undefined
  readonly isLive: boolean
}

/** Whether the user may talk through a camera that may have a loudspeaker. A camera that doesn't say so may have one. */
export function useTalkOffer({ cameraId, status, isLive }: Asked): boolean {
  const { client } = useApplication()
  const mayTalk = useMay()(sendCameraAudio) === true && isLive && status?.online === true
  const abilities = useQuery({
    ...capabilityQueries(client, cameraId).capabilities,
    enabled: mayTalk,
    retry: false,
  })
  return mayTalk && abilities.data?.speaker !== 'no'
}
