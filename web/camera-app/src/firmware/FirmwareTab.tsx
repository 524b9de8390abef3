import { deleteCameraJob } from '@sightline/contract/device-jobs'
import { type Firmware, getCameraFirmware, upgradeCameraFirmware } from '@sightline/contract/firmware'
import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { areStatesFollowed, Loaded, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import type { SettingsTabProps } from '../camera-settings/index.ts'
import { FirmwareCard, isUpgrading } from './FirmwareCard.tsx'
import { SameModelCard } from './SameModelCard.tsx'
import { useText } from './text.ts'

/** While an upgrade runs, and otherwise, unless the server tells how it goes on (event-states/follow-events.ts). */
const LOOK_EVERY_MS = { busy: 1000, idle: 30_000 } as const

export function lookAgain(firmware: Firmware | undefined): number | false {
  if (areStatesFollowed()) return false
  return firmware !== undefined && isUpgrading(firmware) ? LOOK_EVERY_MS.busy : LOOK_EVERY_MS.idle
}

export const FirmwareSkeleton = () => (
  <SkeletonGroup>
    <Skeleton className="h-64 w-full" />
  </SkeletonGroup>
)

/** The firmware of a camera. */
export function FirmwareTab({ camera, status, own, readOnly }: SettingsTabProps) {
  const { cameraId } = camera
  const t = useText()
  const { client, queries } = useApplication()
  const params = { cameraId }
  const queryKey = ['cameras', cameraId, 'firmware'] as const
  const firmware = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.call(getCameraFirmware, { params }, { signal }),
    staleTime: 0,
    refetchInterval: (query) => lookAgain(query.state.data),
  })
  const again = () => queries.invalidateQueries({ queryKey })
  const mayUpgrade = own.may(upgradeCameraFirmware) && readOnly === undefined
  return (
    <Loaded asked={[firmware] as const} place={<FirmwareSkeleton />}>
      {(found) => (
        <div className="space-y-5">
          <FirmwareCard
            firmware={found}
            texts={{
              title: t('Firmware'),
              meanwhile: t(
                'The camera sends no video for some minutes and recording pauses until it is back. Don’t switch it off meanwhile.',
              ),
              offline: t('The camera is offline, so its firmware can’t be upgraded.'),
            }}
            isOnline={status?.online === true}
            onUpgrade={
              mayUpgrade
                ? (version) =>
                    client.call(upgradeCameraFirmware, { params, body: { version } }).finally(() => void again())
                : undefined
            }
            onCancel={
              found.jobId === null || !own.may(deleteCameraJob)
                ? undefined
                : async () => {
                    await client
                      .call(deleteCameraJob, { params: { cameraId, jobId: found.jobId ?? 0 } })
                      .catch(() => undefined)
                    await again()
                  }
            }
          />
          {mayUpgrade && found.available !== null ? <SameModelCard camera={camera} version={found.available} /> : null}
        </div>
      )}
    </Loaded>
  )
}
