import { type CameraWifi, patchCameraWifi } from '@sightline/contract/camera-wifi'
import { Card, ConfirmDialog, Notice, Skeleton, Status, Switch } from '@sightline/kit'
import { Loaded, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { capabilityQueries } from '../camera-capabilities/index.ts'
import { Networks } from './Networks.tsx'
import { type Text, useText } from './text.ts'
import { isChanging, wifiQueries } from './wifi-queries.ts'

const states: Readonly<Record<CameraWifi['state'], Text>> = {
  disabled: 'Wi-Fi is off',
  enabling: 'Turning Wi-Fi on…',
  disconnected: 'Not connected to a network',
  connecting: 'Connecting…',
  connected: 'Connected to {network}',
  switching: 'Switching to another network…',
  forgetting: 'Forgetting a network…',
  disabling: 'Turning Wi-Fi off…',
}

interface WifiCardProps {
  cameraId: number
  isOnline: boolean
  /** Nothing may be changed. */
  fixed: boolean
}

function Wifi({ cameraId, wifi, fixed }: { cameraId: number; wifi: CameraWifi; fixed: boolean }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [asks, ask] = useState(false)
  const [busy, setBusy] = useState(false)
  const { queryKey } = wifiQueries(client, cameraId).wifi
  const again = () => void queries.invalidateQueries({ queryKey, exact: true })
  const change = async (enabled: boolean) => {
    setBusy(true)
    const done = await save(() => client.call(patchCameraWifi, { params: { cameraId }, body: { enabled } }), {
      messages: { 18: t('The camera is offline, so its Wi-Fi can’t be changed.') },
    })
    setBusy(false)
    ask(false)
    if ('saved' in done) queries.setQueryData(queryKey, done.saved)
    again()
  }
  const disabled = fixed || busy || isChanging(wifi)
  return (
    <div className="space-y-5">
      <Switch
        label={t('Wi-Fi')}
        checked={wifi.enabled}
        disabled={disabled}
        onChange={(checked) => (checked ? void change(true) : ask(true))}
      />
      <Status>
        <p>{t(states[wifi.state], { network: wifi.currentSsid ?? '' })}</p>
      </Status>
      {wifi.failedSsid === null ? null : (
        <Notice mood="warning">
          {t('The camera couldn’t connect to {network}. Check the password and the signal, then try again.', {
            network: wifi.failedSsid,
          })}
        </Notice>
      )}
      {wifi.enabled ? <Networks cameraId={cameraId} wifi={wifi} disabled={disabled} onChanged={again} /> : null}
      <ConfirmDialog
        open={asks}
        onClose={() => ask(false)}
        title={t('Turn Wi-Fi off?')}
        confirm={t('Turn off')}
        danger
        busy={busy}
        onConfirm={() => void change(false)}
      >
        <p>
          {t(
            'Without a network cable, the camera goes offline and can’t be reached from here anymore. You would have to turn Wi-Fi on at the camera itself.',
          )}
        </p>
      </ConfirmDialog>
    </div>
  )
}

function KnownWifi({ cameraId, fixed }: Omit<WifiCardProps, 'isOnline'>) {
  const { client } = useApplication()
  const wifi = useQuery(wifiQueries(client, cameraId).wifi)
  return (
    <Loaded asked={[wifi] as const} place={<Skeleton className="h-32 w-full" />}>
      {(loaded) => <Wifi cameraId={cameraId} wifi={loaded} fixed={fixed} />}
    </Loaded>
  )
}

/** The Wi-Fi of a camera, or why it can't be set. */
export function WifiCard({ cameraId, isOnline, fixed }: WifiCardProps) {
  const t = useText()
  const { client } = useApplication()
  const capabilities = useQuery(capabilityQueries(client, cameraId).capabilities)
  const ability = capabilities.data?.wifi
  if (ability === undefined) return null
  return (
    <Card title={t('Wi-Fi')}>
      {ability === 'yes' && isOnline ? (
        <KnownWifi cameraId={cameraId} fixed={fixed} />
      ) : (
        <p className="text-muted">
          {t(
            ability === 'yes'
              ? 'The camera is offline, so its Wi-Fi can’t be changed.'
              : 'Wi-Fi can’t be set from here: the camera has none, or offers no standard way (ONVIF) to set it.',
          )}
        </p>
      )}
    </Card>
  )
}
