import { patchCamera } from '@sightline/contract/cameras'
import { deleteZone, type Zone } from '@sightline/contract/zones'
import { Button, ConfirmDialog, Dialog, Notice, Select } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cameraQueries } from '../cameras/index.ts'
import { useText } from './text.ts'

interface DeleteZoneProps {
  /** Undefined: the dialog is closed. */
  zone: Zone | undefined
  /** The zones to which the cameras can be moved. */
  others: readonly Zone[]
  mayMove: boolean
  onClose: () => void
  onDeleted: () => void
}

type Hindrance = 'last' | 'devices' | 'mayNotMove' | undefined

/** The reason why a zone can't be deleted here. */
function hindranceOf(zone: Zone, others: readonly Zone[], mayMove: boolean): Hindrance {
  if (others.length === 0) return 'last'
  if (zone.deviceIds.length > 0) return 'devices'
  return zone.cameraIds.length > 0 && !mayMove ? 'mayNotMove' : undefined
}

const hindrances = {
  last: "You can't delete the only zone in your account.",
  devices: 'This zone has recorders. Move them first.',
  mayNotMove: "This zone has cameras, and you don't have the right to move them.",
} as const

function CamerasInside({ zone }: { zone: Zone }) {
  const t = useText()
  const { client } = useApplication()
  const inside = useQuery(cameraQueries(client).list).data?.filter(({ cameraId }) => zone.cameraIds.includes(cameraId))
  return (
    <>
      <p>{t('Only an empty zone can be deleted. Cameras in this zone:')}</p>
      <ul className="mt-2 mb-4 max-h-40 list-disc overflow-y-auto ps-5">
        {inside?.map(({ cameraId, name }) => (
          <li key={cameraId} className="wrap-anywhere">
            {name}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Moves the cameras one by one, then deletes the zone. If a camera can't be moved, the zone stays. */
function useDeleting({ zone, onClose, onDeleted }: Pick<DeleteZoneProps, 'zone' | 'onClose' | 'onDeleted'>) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const act = async (target: number) => {
    if (zone === undefined) return
    const { zoneId } = zone
    setBusy(true)
    const done = await save(
      async () => {
        for (const cameraId of zone.cameraIds)
          await client.call(patchCamera, { params: { cameraId }, body: { zoneId: target } })
        return client.call(deleteZone, { params: { zoneId } })
      },
      {
        success: t('Zone deleted'),
        messages: { 6: t("Couldn't delete the zone. It isn't empty, or it's the only zone in the account.") },
      },
    )
    setBusy(false)
    onClose()
    if ('saved' in done) {
      queries.removeQueries({ queryKey: ['zones', zoneId] })
      onDeleted()
    }
    void queries.invalidateQueries({ queryKey: ['cameras'] })
    void queries.invalidateQueries({ queryKey: ['zones'] })
  }
  return { busy, act }
}

/** Explains why a zone can't be deleted, or asks before it is deleted and offers to move its cameras first. */
export function DeleteZone(props: DeleteZoneProps) {
  const { zone, others, mayMove, onClose } = props
  const t = useText()
  const hindrance = zone === undefined ? undefined : hindranceOf(zone, others, mayMove)
  const stays = zone !== undefined && hindrance !== undefined
  return (
    <>
      <AskToDelete {...props} zone={stays ? undefined : zone} />
      <Dialog
        open={stays}
        onClose={onClose}
        title={t("You can't delete zone {name}", { name: zone?.name ?? '' })}
        footer={<Button onClick={onClose}>{t('Close')}</Button>}
      >
        {stays && zone.cameraIds.length > 0 ? <CamerasInside zone={zone} /> : null}
        {stays ? <Notice mood="warning">{t(hindrances[hindrance])}</Notice> : null}
      </Dialog>
    </>
  )
}

function AskToDelete({ zone, others, onClose, onDeleted }: DeleteZoneProps) {
  const t = useText()
  const { busy, act } = useDeleting({ zone, onClose, onDeleted })
  const [chosen, choose] = useState('')
  const isFull = zone !== undefined && zone.cameraIds.length > 0
  const target = others.find(({ zoneId }) => String(zoneId) === chosen) ?? others[0]
  return (
    <ConfirmDialog
      open={zone !== undefined}
      title={t('Delete zone {name}?', { name: zone?.name ?? '' })}
      confirm={t(isFull ? 'Move cameras and delete zone' : 'Delete zone')}
      danger
      busy={busy}
      onClose={() => {
        if (!busy) onClose()
      }}
      onConfirm={() => void act(target?.zoneId ?? 0)}
    >
      {isFull ? (
        <>
          <CamerasInside zone={zone} />
          <Select
            label={t('Move to')}
            hint={t(
              'Users with access to that zone will see these cameras. Users with access only to this zone will no longer see them.',
            )}
            value={String(target?.zoneId ?? '')}
            onChange={(event) => choose(event.target.value)}
          >
            {others.map(({ zoneId, name }) => (
              <option key={zoneId} value={zoneId}>
                {name}
              </option>
            ))}
          </Select>
        </>
      ) : (
        <p>{t("The zone's name, location and time zone are deleted. Cameras and recordings aren't affected.")}</p>
      )}
    </ConfirmDialog>
  )
}
