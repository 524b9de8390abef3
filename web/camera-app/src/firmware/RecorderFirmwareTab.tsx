import { deleteDeviceJob } from '@sightline/contract/device-jobs'
import { getDeviceFirmware, upgradeDeviceFirmware } from '@sightline/contract/firmware'
import { Loaded, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import type { RecorderTabProps } from '../devices/index.ts'
import { FirmwareCard } from './FirmwareCard.tsx'
import { FirmwareSkeleton, lookAgain } from './FirmwareTab.tsx'
import { useText } from './text.ts'

/** The firmware of a recorder. */
export function RecorderFirmwareTab({ device: { deviceId, status }, own }: RecorderTabProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const params = { deviceId }
  const queryKey = ['devices', deviceId, 'firmware'] as const
  const firmware = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.call(getDeviceFirmware, { params }, { signal }),
    staleTime: 0,
    refetchInterval: (query) => lookAgain(query.state.data),
  })
  const again = () => queries.invalidateQueries({ queryKey })
  const upgrade = (version: string) =>
    client.call(upgradeDeviceFirmware, { params, body: { version } }).finally(() => void again())
  const cancel = async (jobId: number) => {
    await client.call(deleteDeviceJob, { params: { deviceId, jobId } }).catch(() => undefined)
    await again()
  }
  return (
    <Loaded asked={[firmware] as const} place={<FirmwareSkeleton />}>
      {(found) => {
        const { jobId } = found
        return (
          <FirmwareCard
            firmware={found}
            texts={{
              title: t('Firmware'),
              meanwhile: t(
                'The cameras at the inputs of this recorder send no video for some minutes and are not recorded until it is back. Don’t switch it off meanwhile.',
              ),
              offline: t('The recorder is offline, so its firmware can’t be upgraded.'),
            }}
            isOnline={status === 'online'}
            onUpgrade={own.may(upgradeDeviceFirmware) ? upgrade : undefined}
            onCancel={jobId === null || !own.may(deleteDeviceJob) ? undefined : () => cancel(jobId)}
          />
        )
      }}
    </Loaded>
  )
}
