import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import { type DeviceChannel, getChannelSnapshot, postChannelCamera } from '@sightline/contract/device-channels'
import { Badge, Button, EmptyState, Icon, TickBox, tileGridClass } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { cameraQueries, Snapshot } from '../cameras/index.ts'
import type { RecorderTabProps } from '../devices/index.ts'
import { AttachInputs } from './AttachInputs.tsx'
import { isFree } from './attach-rows.ts'
import { ChannelPicture } from './ChannelPicture.tsx'
import { useText } from './text.ts'

interface TileProps {
  deviceId: number
  channel: DeviceChannel
  camera: Camera | undefined
  status: CameraStatus | undefined
  /** Whether the user may see pictures of inputs. */
  hasPictures: boolean
  /** The box that selects it, if it can be added. */
  box: ReactNode
}

/** The picture of an input: that of its camera if it is one. */
function TilePicture({ deviceId, channel, camera, status, hasPictures }: Omit<TileProps, 'box'>) {
  const t = useText()
  if (camera !== undefined) {
    return (
      <Snapshot
        cameraId={camera.cameraId}
        online={status?.online === true}
        isPrivate={status?.mode === 'private'}
        label={t('Latest snapshot from {camera}', { camera: camera.name })}
      />
    )
  }
  if (channel.attached || !hasPictures) {
    return (
      <span className="absolute inset-0 flex items-center justify-center text-muted">
        <Icon name={channel.attached ? 'lock' : 'eyeOff'} size={32} />
      </span>
    )
  }
  const label = t('Picture of input {number}', { number: channel.channel })
  return <ChannelPicture deviceId={deviceId} channel={channel} label={label} />
}

function Tile(props: TileProps) {
  const { channel, camera, box } = props
  const t = useText()
  const number = t('Input {number}', { number: channel.channel })
  return (
    <li className="relative overflow-hidden rounded-lg border border-border bg-surface shadow-card">
      <span className="relative block aspect-video overflow-hidden bg-sunken">
        <TilePicture {...props} />
      </span>
      <div className="flex min-h-16 items-center gap-3 px-4 py-3">
        {box}
        <div className="min-w-0 grow">
          {camera === undefined ? (
            <p className="truncate font-medium">{number}</p>
          ) : (
            <a
              data-here
              href={`/app/cameras/${camera.cameraId}`}
              className="text-link-underline block truncate font-medium"
            >
              {camera.name}
            </a>
          )}
          <p className="truncate text-xs text-muted">
            <bdi>{camera === undefined ? channel.name : number}</bdi>
          </p>
        </div>
        <ChannelBadge channel={channel} />
      </div>
    </li>
  )
}

function ChannelBadge({ channel }: { channel: DeviceChannel }) {
  const t = useText()
  if (channel.attached) return <Badge mood="success">{t('Camera')}</Badge>
  return channel.online ? <Badge>{t('Not added')}</Badge> : <Badge mood="warning">{t('No video')}</Badge>
}

function SelectBox({
  label,
  isSelected,
  onChange,
}: {
  label: string
  isSelected: boolean
  onChange: (on: boolean) => void
}) {
  const id = useId()
  return (
    <label htmlFor={id} className="-m-3 inline-flex size-11 shrink-0 items-center justify-center">
      <TickBox id={id} label={label} checked={isSelected} onChange={onChange} />
    </label>
  )
}

interface ToolsProps {
  selected: number
  free: number
  onAdd: () => void
  onAddAll: () => void
}

/** What can be done with several inputs. */
function Tools({ selected, free, onAdd, onAddAll }: ToolsProps) {
  const t = useText()
  return (
    <div className="mb-4 flex flex-wrap items-center justify-end gap-3">
      <p className="me-auto text-muted">{t('Select the inputs that become cameras.')}</p>
      <Button variant="secondary" onClick={onAddAll}>
        {t('Add all {count} inputs', { count: free })}
      </Button>
      <Button disabled={selected === 0} onClick={onAdd}>
        {selected === 0 ? t('Add selected') : t('Add {count} selected', { count: selected })}
      </Button>
    </div>
  )
}

/** The inputs of a recorder with pictures; those that aren't cameras can become ones. */
export function InputsTab({ device, own }: RecorderTabProps) {
  const t = useText()
  const { client } = useApplication()
  const cameras = useQuery(cameraQueries(client).list).data
  const statuses = useQuery(cameraQueries(client).statuses).data
  const [selected, select] = useState<ReadonlySet<number>>(new Set())
  const [adding, add] = useState<readonly DeviceChannel[]>()
  const free = device.channels.filter(isFree)
  const chosen = free.filter(({ channelId }) => selected.has(channelId))
  const mayAdd = own.may(postChannelCamera)
  if (device.channels.length === 0) {
    return (
      <EmptyState icon="camera" title={t('No inputs yet')}>
        {t('The inputs appear here when the recorder has reported them.')}
      </EmptyState>
    )
  }
  const toggle = (channelId: number, isOn: boolean) =>
    select((before) => new Set(isOn ? [...before, channelId] : [...before].filter((one) => one !== channelId)))
  return (
    <>
      {mayAdd && free.length > 0 ? (
        <Tools selected={chosen.length} free={free.length} onAdd={() => add(chosen)} onAddAll={() => add(free)} />
      ) : null}
      <ul className={tileGridClass}>
        {device.channels.map((channel) => {
          const { channelId, cameraId } = channel
          return (
            <Tile
              key={channelId}
              deviceId={device.deviceId}
              channel={channel}
              camera={cameraId === null ? undefined : cameras?.find((camera) => camera.cameraId === cameraId)}
              status={cameraId === null ? undefined : statuses?.get(cameraId)}
              hasPictures={own.may(getChannelSnapshot)}
              box={
                mayAdd && isFree(channel) ? (
                  <SelectBox
                    label={t('Select input {number}', { number: channel.channel })}
                    isSelected={selected.has(channelId)}
                    onChange={(isOn) => toggle(channelId, isOn)}
                  />
                ) : null
              }
            />
          )
        })}
      </ul>
      {adding === undefined ? null : (
        <AttachInputs
          device={device}
          channels={adding}
          onClose={() => {
            add(undefined)
            select(new Set())
          }}
        />
      )}
    </>
  )
}
