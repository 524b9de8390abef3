import { ApiFailure } from '@sightline/client'
import { type FoundCamera, getCameraDiscovery, startCameraDiscovery } from '@sightline/contract/camera-discovery'
import { Badge, Button, Card, ProgressBar, Select } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ConnectionChoice } from './ConnectionChoice.tsx'
import { useText } from './text.ts'

const LOOK_EVERY_MS = 500
const KEY = ['cameras/discovery'] as const
/** One search asks at most 1024 addresses. */
const canBeSwept = (network: string): boolean => /^[\d.]+\/(2[2-9]|3[0-2])$/.test(network)

interface FoundCamerasProps {
  /** Whether a camera is on its way already. */
  isTaken: (camera: FoundCamera) => boolean
  onAdd: (cameras: readonly FoundCamera[]) => void
}

interface FoundDevicesProps {
  title: string
  /** What a screen says if nothing answered. */
  nothing: string
  /** What can be done with one of them. */
  action: (found: FoundCamera, name: string) => ReactNode
  /** What can be done with all of them. */
  children?: (found: readonly FoundCamera[]) => ReactNode
}

const titleOf = ({ name, brand, model, address }: FoundCamera): string =>
  [brand, model].filter((text) => text !== '').join(' ') || name || address

/** What answers in the networks of the account, as it comes. */
export function FoundDevices({ title, nothing, action, children }: FoundDevicesProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [network, choose] = useState('')
  const [connects, setConnects] = useState(false)
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => client.call(getCameraDiscovery, {}, { signal }),
    staleTime: 0,
    retry: (count, error) => count < 2 && !(error instanceof ApiFailure && error.status === 403),
    refetchInterval: (query) => (query.state.data?.state === 'running' ? LOOK_EVERY_MS : false),
  })
  const ask = async (body: { network?: string; connect?: boolean; cancel?: boolean }) => {
    const done = await save(() => client.call(startCameraDiscovery, { body }))
    if ('saved' in done) queries.setQueryData(KEY, done.saved)
  }
  const search = () => ask(network === '' ? {} : { network, connect: connects })
  if (data === undefined) return null
  const isRunning = data.state === 'running'
  return (
    <Card title={title}>
      {data.networks.length === 0 ? (
        <p className="text-muted">
          {t(
            'No network can be searched yet. The person who runs this server can add the network of your cameras with the setting SIGHTLINE_CAMERA_NETWORKS.',
          )}
        </p>
      ) : (
        <div className="space-y-4">
          <div className="flex flex-wrap items-end gap-3">
            <Select label={t('Search in')} value={network} onChange={(event) => choose(event.target.value)}>
              <option value="">{t('Automatic search')}</option>
              {data.networks.filter(canBeSwept).map((one) => (
                <option key={one} value={one}>
                  {t('Each address of {network}', { network: one })}
                </option>
              ))}
            </Select>
            <Button variant="secondary" busy={isRunning} onClick={() => void search()}>
              {t('Search')}
            </Button>
            {isRunning ? (
              <Button variant="secondary" onClick={() => void ask({ cancel: true })}>
                {t('Cancel search')}
              </Button>
            ) : null}
          </div>
          {network === '' ? null : (
            <ConnectionChoice
              label={t('Connect to each address too')}
              hint={t("For cameras that don't announce themselves. This can take a few minutes.")}
              isChosen={connects}
              onChoose={setConnects}
            />
          )}
          {isRunning ? <ProgressBar value={data.progress} label={t('Searching for cameras')} /> : null}
          {data.state === 'done' && data.cameras.length === 0 ? <p className="text-muted">{nothing}</p> : null}
          <ul aria-live="polite" className="divide-y divide-border">
            {data.cameras.map((camera) => (
              <li
                key={`${camera.address} ${camera.port} ${camera.machines}`}
                className="flex flex-wrap items-center gap-3 py-3"
              >
                <span className="min-w-0 grow">
                  <span className="block truncate font-medium">{titleOf(camera)}</span>
                  <span className="block truncate text-xs text-muted" dir="ltr">
                    {[camera.name, `${camera.address}:${camera.port}`, camera.ethMacAddress]
                      .filter((text) => text !== '' && text !== titleOf(camera))
                      .join(' · ')}
                  </span>
                  {camera.protocol === 'rtsp' ? (
                    <span className="block text-xs text-muted">{t('Needs its stream path')}</span>
                  ) : null}
                  {camera.foundBy === 'address' ? (
                    <span className="block truncate text-xs text-muted">{t('Found by address')}</span>
                  ) : null}
                  {camera.machines.length === 0 ? null : (
                    <span className="block truncate text-xs text-muted">
                      {t('Found by {machines}', { machines: camera.machines.join(', ') })}
                    </span>
                  )}
                </span>
                {action(camera, `${titleOf(camera)} ${camera.address}`)}
              </li>
            ))}
          </ul>
          {children?.(data.cameras)}
        </div>
      )}
    </Card>
  )
}

/** Cameras that answer in the networks of the account, each to be added with one tap. */
export function FoundCameras({ isTaken, onAdd }: FoundCamerasProps) {
  const t = useText()
  const action = (camera: FoundCamera, name: string) => {
    if (camera.added) return <Badge mood="success">{t('Already added here')}</Badge>
    return (
      <Button variant="secondary" disabled={isTaken(camera)} onClick={() => onAdd([camera])}>
        {t('Add')}
        <span className="sr-only">: {name}</span>
      </Button>
    )
  }
  return (
    <FoundDevices
      title={t('Find cameras')}
      nothing={t(
        'No cameras answered. Check that they are switched on and that ONVIF discovery is on, or enter their addresses below.',
      )}
      action={action}
    >
      {(found) => {
        const free = found.filter((camera) => !camera.added && camera.protocol === 'onvif' && !isTaken(camera))
        return free.length > 1 ? (
          <div className="flex justify-end">
            <Button onClick={() => onAdd(free)}>{t('Add all found cameras')}</Button>
          </div>
        ) : null
      }}
    </FoundDevices>
  )
}
