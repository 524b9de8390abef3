import type { Camera } from '@sightline/contract/cameras'
import { upgradeCamerasFirmware } from '@sightline/contract/firmware'
import { Button, Card, CheckList, ConfirmDialog, Notice } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cameraQueries } from '../cameras/index.ts'
import { useText } from './text.ts'

interface SameModelCardProps {
  camera: Camera
  /** The newest version for this model. */
  version: string
}

const lower = (text: string | null | undefined): string => (text ?? '').trim().toLowerCase()

const isSameModel = (one: Camera, other: Camera): boolean =>
  lower(one.brand) === lower(other.brand) && lower(one.model) === lower(other.model)

/** Upgrades more cameras of the same model with one click. Nothing is shown if no other camera has an upgrade. */
export function SameModelCard({ camera, version }: SameModelCardProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const { list, statuses } = cameraQueries(client)
  const { data: cameras = [] } = useQuery(list)
  const { data: states } = useQuery(statuses)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asking, ask] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<readonly string[]>([])
  const upgradable = cameras.filter(
    (one) => isSameModel(one, camera) && states?.get(one.cameraId)?.firmwareStatus === 'upgradable',
  )
  const others = upgradable.filter(({ cameraId }) => cameraId !== camera.cameraId)
  if (others.length === 0 && failed.length === 0) return null
  const nameOf = (cameraId: number) => cameras.find((one) => one.cameraId === cameraId)?.name ?? String(cameraId)
  const cameraIds = upgradable.map(({ cameraId }) => cameraId).filter((cameraId) => chosen.has(String(cameraId)))
  const upgrade = async () => {
    setBusy(true)
    const done = await save(() => client.call(upgradeCamerasFirmware, { body: { cameraIds, version } }), {
      success: t('Firmware upgrades started'),
    })
    setBusy(false)
    ask(false)
    if (!('saved' in done)) return
    setChosen(new Set())
    setFailed(done.saved.failed.map(({ cameraId }) => nameOf(cameraId)))
    await queries.invalidateQueries({ queryKey: statuses.queryKey })
    await queries.invalidateQueries({ queryKey: ['cameras', camera.cameraId, 'firmware'] })
  }
  return (
    <Card title={t('More cameras of this model')}>
      <div className="max-w-2xl space-y-4">
        <p className="text-muted">
          {t('Two are upgraded at a time. If an upgrade fails, the cameras that are still waiting keep their version.')}
        </p>
        {failed.length === 0 ? null : (
          <Notice mood="warning">
            {t('These could not be upgraded now: {cameras}. They may be offline or busy.', {
              cameras: failed.join(', '),
            })}
          </Notice>
        )}
        {others.length === 0 ? null : (
          <>
            <CheckList
              label={t('Cameras to upgrade')}
              options={upgradable.map(({ cameraId, name }) => ({ value: String(cameraId), label: name }))}
              chosen={chosen}
              onChange={setChosen}
              searchLabel={t('Search cameras')}
            />
            <Button disabled={cameraIds.length === 0} onClick={() => ask(true)}>
              {t('Upgrade selected cameras to {version}', { version })}
            </Button>
          </>
        )}
      </div>
      <ConfirmDialog
        open={asking}
        title={t('Upgrade to {version}?', { version })}
        confirm={t('Upgrade firmware')}
        busy={busy}
        onClose={() => ask(false)}
        onConfirm={() => void upgrade()}
      >
        <p>{t('Each camera sends no video for some minutes, and its recording pauses until it is back.')}</p>
      </ConfirmDialog>
    </Card>
  )
}
