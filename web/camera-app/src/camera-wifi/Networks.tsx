import { type CameraWifi, deleteWifiNetwork, type WifiNetwork } from '@sightline/contract/camera-wifi'
import { Badge, Button, ConfirmDialog } from '@sightline/kit'
import { LoadFailed, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { JoinNetwork } from './JoinNetwork.tsx'
import { type Text, useText } from './text.ts'
import { wifiQueries } from './wifi-queries.ts'

const signals: readonly Text[] = ['No signal', 'Very weak signal', 'Weak signal', 'Good signal', 'Very good signal']
const securities: Readonly<Record<WifiNetwork['security'], Text>> = {
  none: 'No password',
  psk: 'Password',
  wep: 'WEP, can’t be set up from here',
  dot1x: 'Company sign-in, can’t be set up from here',
  unknown: 'Unknown protection',
}

interface NetworkProps {
  cameraId: number
  network: WifiNetwork
  disabled: boolean
  onChanged: () => void
}

function Forget({ cameraId, network, disabled, onChanged }: NetworkProps) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  const [asks, ask] = useState(false)
  const [busy, setBusy] = useState(false)
  const { ssid } = network
  const forget = async () => {
    setBusy(true)
    await save(() => client.call(deleteWifiNetwork, { params: { cameraId, ssid } }), {
      success: t('Network forgotten'),
      messages: {
        6: t('The camera is in this network. Connect it to another one first.'),
        18: t('The camera is offline, so its Wi-Fi can’t be changed.'),
      },
    })
    setBusy(false)
    ask(false)
    onChanged()
  }
  return (
    <>
      <Button
        variant="secondary"
        disabled={disabled}
        onClick={() => ask(true)}
        aria-label={t('Forget {network}', { network: ssid })}
      >
        {t('Forget')}
      </Button>
      <ConfirmDialog
        open={asks}
        onClose={() => ask(false)}
        title={t('Forget {network}?', { network: ssid })}
        confirm={t('Forget network')}
        busy={busy}
        onConfirm={() => void forget()}
      >
        <p>{t('The camera won’t connect to this network anymore until you enter its password again.')}</p>
      </ConfirmDialog>
    </>
  )
}

function Network(props: NetworkProps) {
  const t = useText()
  const [joins, join] = useState(false)
  const { cameraId, network, disabled, onChanged } = props
  const { ssid, security, signal, known, visible, current } = network
  const facts = [
    signal === null ? undefined : signals[signal],
    visible ? undefined : ('Not in range' as const),
    securities[security],
    known && !current ? ('Set up in the camera' as const) : undefined,
  ].filter((fact) => fact !== undefined)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">
          <bdi>{ssid}</bdi>
        </p>
        <p className="text-sm text-muted">{facts.map((fact) => t(fact)).join(' · ')}</p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {current ? <Badge mood="success">{t('Connected')}</Badge> : null}
        {current || !visible || security === 'wep' || security === 'dot1x' ? null : (
          <Button
            variant="secondary"
            disabled={disabled}
            onClick={() => join(true)}
            aria-label={t('Connect to {network}', { network: ssid })}
          >
            {t('Connect')}
          </Button>
        )}
        {known && !current ? <Forget {...props} /> : null}
      </div>
      {joins ? (
        <JoinNetwork cameraId={cameraId} network={network} onClose={() => join(false)} onJoined={onChanged} />
      ) : null}
    </li>
  )
}

/** The networks that the camera is set up for and, once the user searched, those that it receives. */
export function Networks({
  cameraId,
  wifi,
  disabled,
  onChanged,
}: Omit<NetworkProps, 'network'> & { wifi: CameraWifi }) {
  const t = useText()
  const { client } = useApplication()
  const [scans, scan] = useState(false)
  const networks = useQuery({
    ...wifiQueries(client, cameraId).networks({ scan: scans, currentSsid: wifi.currentSsid }),
    enabled: wifi.enabled,
  })
  const isEmpty = networks.data?.length === 0
  const search = () => {
    if (scans) void networks.refetch()
    else scan(true)
  }
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-medium">{t('Networks')}</h3>
        <Button variant="secondary" icon="refresh" busy={networks.isFetching && scans} onClick={search}>
          {t('Search for networks')}
        </Button>
      </div>
      {networks.error === null ? null : <LoadFailed error={networks.error} reset={() => void networks.refetch()} />}
      {isEmpty ? (
        <p className="text-muted">
          {t(scans ? 'The camera receives no network.' : 'The camera isn’t set up for any network yet.')}
        </p>
      ) : (
        <ul className="divide-y divide-border" aria-live="polite">
          {networks.data?.map((network) => (
            <Network
              key={network.ssid}
              cameraId={cameraId}
              network={network}
              disabled={disabled}
              onChanged={() => {
                onChanged()
                void networks.refetch()
              }}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
