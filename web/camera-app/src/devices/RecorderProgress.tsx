import { ApiFailure } from '@sightline/client'
import type { AdditionStep, AdditionSubStatus } from '@sightline/contract/camera-additions'
import type { DeviceAddition, RecorderDevice } from '@sightline/contract/devices'
import { buttonClass, Card, Notice } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { StepList } from '../camera-additions/index.ts'
import { useAddingWays } from '../cameras/index.ts'
import { nextAddition } from './device-queries.ts'
import { type Text, useText } from './text.ts'

const steps: Readonly<Partial<Record<AdditionStep, Text>>> = {
  reachable: 'Reach the recorder',
  identified: 'Identify the recorder',
  signedIn: 'Sign in to the recorder',
  streams: 'Find its inputs',
}

/** What went wrong with adding a recorder, and what to do about it. */
export const failureReasons: Readonly<Record<AdditionSubStatus, Text>> = {
  none: "Couldn't add the recorder. If the problem persists, contact support.",
  unknown: "Couldn't add the recorder. If the problem persists, contact support.",
  cloudUnreachable: "Couldn't add the recorder. If the problem persists, contact support.",
  deviceOffline: "The recorder doesn't respond. Check its power, its network and the address, then try again.",
  credentialsIncorrect:
    "The recorder rejected the user name or password. If you don't know them, reset it to factory settings.",
  alreadyAttached: 'Remove the recorder from its current account first, then add it again.',
  recentlyRemoved: 'This recorder was removed less than two minutes ago. Wait two minutes, then add it again.',
  unsupportedDevice:
    "The recorder couldn't be identified or isn't supported. Turn on ONVIF in its settings, then try again.",
  deviceError: 'The recorder reported a problem. Restart it, then try again.',
  addressNotAllowed: 'Recorders in this network are not allowed. Ask your provider to allow the network.',
  firmwareUpgrading: 'The recorder is updating its firmware. Try again when it has finished.',
}

const isOver = (addition: DeviceAddition | undefined): boolean =>
  addition?.status === 'added' || addition?.status === 'failure'

/** Follows the addition of a recorder until it is over. Each request waits for the next step. */
function useRecorderAddition(deviceId: number, attempt: number): DeviceAddition | undefined {
  const { client, queries } = useApplication()
  const ways = useAddingWays()
  const may = ways?.byAddress === true || ways?.byMacAddress === true
  const queryKey = ['devices', deviceId, 'addition', attempt] as const
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      nextAddition(client, { deviceId, last: queries.getQueryData<DeviceAddition>(queryKey), signal }),
    enabled: may,
    staleTime: 0,
    gcTime: 0,
    // A lost connection is no answer; a recorder that is gone is one.
    retry: (_count, error) => !(error instanceof ApiFailure && error.status === 404),
    retryDelay: 2000,
    refetchInterval: (query) => (isOver(query.state.data) ? false : 10),
    refetchIntervalInBackground: true,
  })
  return data
}

interface RecorderProgressProps {
  device: RecorderDevice
  /** Another number starts over. */
  attempt?: number
  /** What can be done after a failure. */
  onFailure: ReactNode
}

/** How adding a recorder goes, step by step, and what to do next. */
export function RecorderProgress({ device, attempt = 0, onFailure }: RecorderProgressProps) {
  const t = useText()
  const { queries } = useApplication()
  const addition = useRecorderAddition(device.deviceId, attempt)
  const status = addition?.status
  useEffect(() => {
    if (status === 'added' || status === 'failure') void queries.invalidateQueries({ queryKey: ['devices'] })
  }, [status, queries])
  const named = Object.entries(steps).map(([step, label]) => [step, t(label)])
  return (
    <Card title={device.name}>
      <StepList steps={addition?.steps} labels={Object.fromEntries(named)} />
      {status === 'failure' ? (
        <div className="mt-4 space-y-4">
          <Notice mood="danger">{t(failureReasons[addition?.subStatus ?? 'unknown'])}</Notice>
          <div className="flex flex-wrap justify-end gap-3">{onFailure}</div>
        </div>
      ) : null}
      {status === 'added' ? (
        <div className="mt-4 space-y-4">
          <Notice mood="success">
            {t('{recorder} has been added. It has {count} inputs.', {
              recorder: device.name,
              count: addition?.channels ?? 0,
            })}
          </Notice>
          <div className="flex flex-wrap justify-end gap-3">
            <a data-here href={`/app/recorders/${device.deviceId}`} className={buttonClass()}>
              {t('Choose inputs')}
            </a>
          </div>
        </div>
      ) : null}
    </Card>
  )
}
