import {
  type AbilityName,
  type AbilityState,
  abilityNames,
  type CameraCapabilities,
  type DeviceInfo,
  refreshCameraCapabilities,
} from '@sightline/contract/camera-capabilities'
import { getCameraStatistics } from '@sightline/contract/camera-statistics'
import { Badge, Button, Card, Details, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import type { SettingsTabProps } from '../camera-settings/index.ts'
import { StatisticsCard } from '../camera-statistics/index.ts'
import { RestartCamera } from '../device-jobs/index.ts'
import { capabilityQueries } from './capability-queries.ts'
import { type Text, useText } from './text.ts'

/** `io` is one of its two parts. */
type NamedAbility = Exclude<AbilityName, 'io'>
const namedAbilities = abilityNames.filter((name): name is NamedAbility => name !== 'io')

const abilityTexts: Readonly<Record<NamedAbility, Text>> = {
  ptz: 'Pan, tilt and zoom',
  microphone: 'Microphone',
  speaker: 'Speaker',
  motionDetection: 'Motion detection',
  pir: 'PIR sensor',
  audioDetection: 'Sound detection',
  tripwire: 'Tripwire',
  edgeStorage: 'Edge storage',
  wifi: 'Wi-Fi',
  mobile: 'Mobile network',
  inputs: 'Inputs',
  outputs: 'Outputs',
  wdr: 'Wide dynamic range',
  imaging: 'Picture settings',
  videoSettings: 'Video settings',
  firmwareUpgrade: 'Firmware update',
}

const stateTexts: Readonly<Record<AbilityState, Text>> = { yes: 'Yes', no: 'No', unknown: 'Unknown' }
const stateMoods = { yes: 'success', no: 'neutral', unknown: 'neutral' } as const

function Device({ info }: { info: DeviceInfo }) {
  const t = useText()
  const shown = (value: string | null) => (value === null || value === '' ? t('Unknown') : value)
  return (
    <Card title={t('Device')}>
      <Details
        details={[
          { label: t('Brand'), value: shown(info.brand) },
          { label: t('Model'), value: shown(info.model) },
          { label: t('Firmware version'), value: shown(info.firmwareVersion) },
          { label: t('Serial number'), value: shown(info.serial) },
          { label: t('Type'), value: t(info.type === 'channel' ? 'Channel of a recorder' : 'Camera') },
          { label: t('MAC address'), value: <span dir="ltr">{info.ethMacAddress}</span> },
        ]}
      />
    </Card>
  )
}

interface AbilitiesProps {
  capabilities: CameraCapabilities
  mayAsk: boolean
}

function Abilities({ capabilities, mayAsk }: AbilitiesProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const { cameraId, askedAt } = capabilities
  const moments = useMoments()
  const known = capabilityQueries(client, cameraId)
  const ask = async () => {
    setBusy(true)
    const done = await save(() => client.call(refreshCameraCapabilities, { params: { cameraId } }), {
      success: t('The camera answered'),
      messages: {
        11: t('Only cameras that are connected by ONVIF can be asked what they can do.'),
        18: t('The camera is offline, so it can’t be asked.'),
      },
    })
    setBusy(false)
    if ('failure' in done) return
    queries.setQueryData(known.capabilities.queryKey, done.saved)
    void queries.invalidateQueries({ queryKey: known.deviceInfo.queryKey })
  }
  return (
    <Card
      title={t('What this camera can do')}
      description={
        askedAt === null
          ? t("The camera wasn't asked yet. That happens shortly after it comes online.")
          : t('Last asked: {time}', { time: moments.shortly(askedAt) })
      }
      aside={
        mayAsk ? (
          <Button variant="secondary" icon="refresh" busy={busy} onClick={() => void ask()}>
            {t('Refresh')}
          </Button>
        ) : undefined
      }
    >
      <ul className="divide-y divide-border">
        {namedAbilities.map((name) => (
          <li key={name} className="flex items-center justify-between gap-4 py-2.5">
            <div className="min-w-0">
              <p>{t(abilityTexts[name])}</p>
              {capabilities.tried[name] === undefined ? null : (
                <p className="text-xs wrap-anywhere text-muted" dir="ltr">
                  {capabilities.tried[name]}
                </p>
              )}
            </div>
            <Badge mood={stateMoods[capabilities[name]]}>{t(stateTexts[capabilities[name]])}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** What a camera is and can do, as it said itself. */
export function CameraInfoTab({ camera, status, own, readOnly }: SettingsTabProps) {
  const { client } = useApplication()
  const known = capabilityQueries(client, camera.cameraId)
  const info = useQuery(known.deviceInfo)
  const capabilities = useQuery(known.capabilities)
  return (
    <Loaded
      asked={[info, capabilities] as const}
      place={
        <SkeletonGroup className="space-y-5">
          <Skeleton className="h-48 w-full" />
          <Skeleton className="h-96 w-full" />
        </SkeletonGroup>
      }
    >
      {(device, abilities) => (
        <div className="space-y-5">
          <Device info={device} />
          {own.may(getCameraStatistics) ? <StatisticsCard cameraId={camera.cameraId} /> : null}
          <RestartCamera camera={camera} status={status} readOnly={readOnly} />
          <Abilities capabilities={abilities} mayAsk={readOnly === undefined && own.rights.has('editCamera')} />
        </div>
      )}
    </Loaded>
  )
}
