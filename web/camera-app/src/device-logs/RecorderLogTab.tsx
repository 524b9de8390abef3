import { type DeviceLogEntry, type DeviceLogEvent, getDeviceLogs } from '@sightline/contract/device-logs'
import { useApplication } from '@sightline/shell'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { LogTable } from '../camera-logs/index.ts'
import type { RecorderTabProps } from '../devices/index.ts'
import { type Text, useText } from './text.ts'

const eventWords: Readonly<Record<DeviceLogEvent, Text>> = {
  connected: 'Connected',
  connectionLost: 'Connection lost',
  connectionFailed: 'Connection failed',
  credentialsRefused: 'Password rejected',
  channelOnline: 'Input has video',
  channelOffline: 'Input lost video',
  rebootStarted: 'Restart started',
  rebootFinished: 'Restart finished',
  rebootFailed: 'Restart failed',
  firmwareUpgraded: 'Firmware upgraded',
  firmwareFailed: 'Firmware upgrade failed',
}

/** The log of a recorder's connection, its inputs and its restarts. */
export function RecorderLogTab({ device: { deviceId } }: RecorderTabProps) {
  const t = useText()
  const { client } = useApplication()
  const router = useRouter()
  const search = useSearch({ from: '/signed-in/recorders/$deviceId/{-$tab}' })
  const eventOf = useCallback(({ event }: DeviceLogEntry) => t(eventWords[event]), [t])
  return (
    <LogTable<DeviceLogEntry>
      label={t('Recorder log')}
      name="recorderLog"
      queryKey={['devices', deviceId, 'logs']}
      fetch={(query, wish, signal) => client.page(getDeviceLogs, { params: { deviceId }, query }, wish, { signal })}
      keyOf={({ deviceLogId }) => deviceLogId}
      eventOf={eventOf}
      search={search}
      go={(next, replace) =>
        void router.navigate({
          to: '/recorders/$deviceId/{-$tab}',
          params: { deviceId: String(deviceId), tab: 'log' },
          search: next,
          replace,
          resetScroll: false,
        })
      }
      empty={t('Connection, input and restart events of this recorder appear here.')}
    />
  )
}
