import { type Camera, patchCamera } from '@sightline/contract/cameras'
import type { Zone } from '@sightline/contract/zones'
import { Button, Card, CheckList, Dialog, Icon, Menu, Skeleton, SkeletonGroup } from '@sightline/kit'
import { LoadFailed, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cameraQueries } from '../cameras/index.ts'
import { useText } from './text.ts'

interface ZoneCamerasProps {
  zone: Zone
  /** All visible zones. */
  zones: readonly Zone[]
  mayMove: boolean
}

/** Moves cameras one after another. Cameras that the server rejects stay in their zone. */
function useMoving() {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  return async (cameraIds: readonly number[], zone: Zone): Promise<void> => {
    await save(
      async () => {
        for (const cameraId of cameraIds)
          await client.call(patchCamera, { params: { cameraId }, body: { zoneId: zone.zoneId } })
      },
      {
        success: t('Cameras moved to {name}: {count}', { name: zone.name, count: cameraIds.length }),
        messages: { 4: t('The camera or zone no longer exists.') },
      },
    )
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['cameras'] }),
      queries.invalidateQueries({ queryKey: ['zones'] }),
    ])
  }
}

interface MoveInProps {
  open: boolean
  onClose: () => void
  zone: Zone
  zones: readonly Zone[]
  outside: readonly Camera[]
}

/** Cameras of other zones to select, each with its current zone. */
function MoveIn({ open, onClose, zone, zones, outside }: MoveInProps) {
  const t = useText()
  const move = useMoving()
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const close = () => {
    if (busy) return
    choose(new Set())
    onClose()
  }
  const act = async () => {
    setBusy(true)
    await move(
      outside.filter(({ cameraId }) => chosen.has(String(cameraId))).map(({ cameraId }) => cameraId),
      zone,
    )
    setBusy(false)
    choose(new Set())
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t('Move cameras to {name}', { name: zone.name })}
      footer={
        <>
          <Button variant="secondary" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button busy={busy} disabled={chosen.size === 0} onClick={() => void act()}>
            {t('Move')}
          </Button>
        </>
      }
    >
      <p className="mb-3 text-muted">
        {t(
          'Users with access to this zone will see these cameras. Users who had access only through their old zone will no longer see them.',
        )}
      </p>
      <CheckList
        label={t('Cameras')}
        searchLabel={t('Search cameras')}
        options={outside.map(({ cameraId, name, zoneId }) => ({
          value: String(cameraId),
          label: name,
          hint: zones.find((one) => one.zoneId === zoneId)?.name ?? '',
        }))}
        chosen={chosen}
        onChange={choose}
      />
    </Dialog>
  )
}

function CameraLine({ camera, targets }: { camera: Camera; targets: readonly Zone[] }) {
  const t = useText()
  const move = useMoving()
  return (
    <li className="flex items-center gap-3 py-1.5">
      <Icon name="camera" className="text-muted" />
      <a
        data-here
        href={`/app/cameras/${camera.cameraId}`}
        className="min-w-0 grow rounded-sm py-1.5 font-medium wrap-anywhere hover:underline"
      >
        {camera.name}
      </a>
      {targets.length === 0 ? null : (
        <Menu
          label={t('Move {camera} to another zone', { camera: camera.name })}
          trigger={
            <>
              {t('Move')}
              <Icon name="chevronDown" size={16} />
            </>
          }
          triggerClass="control inline-flex items-center gap-1.5 border border-outline bg-surface px-3 hover:bg-sunken"
          items={[
            { kind: 'heading', label: t('Move to') },
            ...targets.map((target) => ({
              label: target.name,
              icon: 'pin' as const,
              onSelect: () => void move([camera.cameraId], target),
            })),
          ]}
        />
      )}
    </li>
  )
}

/** The cameras of a zone, with actions to move them out and to add others. */
export function ZoneCameras({ zone, zones, mayMove }: ZoneCamerasProps) {
  const t = useText()
  const { client } = useApplication()
  const [moving, setMoving] = useState(false)
  const { data: cameras, error, refetch } = useQuery(cameraQueries(client).list)
  if (cameras === undefined) {
    if (error !== null) return <LoadFailed error={error} reset={() => void refetch()} />
    return (
      <SkeletonGroup>
        <Skeleton className="h-40 w-full" />
      </SkeletonGroup>
    )
  }
  const others = zones.filter(({ zoneId, whole }) => whole && zoneId !== zone.zoneId)
  const inside = cameras.filter(({ zoneId }) => zoneId === zone.zoneId)
  const outside = cameras.filter(({ zoneId }) => others.some((other) => other.zoneId === zoneId))
  const moves = mayMove && zone.whole
  return (
    <Card
      title={t('Cameras')}
      aside={
        moves && outside.length > 0 ? (
          <Button variant="secondary" icon="plus" onClick={() => setMoving(true)}>
            {t('Move cameras here')}
          </Button>
        ) : undefined
      }
    >
      {inside.length === 0 ? (
        <p className="text-muted">{t('No cameras in this zone')}</p>
      ) : (
        <ul className="-my-1.5 divide-y divide-border">
          {inside.map((camera) => (
            <CameraLine key={camera.cameraId} camera={camera} targets={moves ? others : []} />
          ))}
        </ul>
      )}
      <MoveIn open={moving} onClose={() => setMoving(false)} zone={zone} zones={zones} outside={outside} />
    </Card>
  )
}
